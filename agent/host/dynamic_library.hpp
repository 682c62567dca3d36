#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tunekeeper {

/// A shared library opened at run time, so that programs that never need it never load it. It stays open for
/// the life of the process: libraries that keep threads or exit handlers cannot be unloaded safely.
class DynamicLibrary {
 public:
  /// Opens the first of the file names that the dynamic linker finds; throws Error that says why none was
  /// found.
  DynamicLibrary(std::string_view purpose, const std::vector<std::string>& file_names);

  /// Fills a function pointer; throws Error that names the symbol and the library when it is not there.
  template <typename Function>
  void bind(Function*& pointer, const char* symbol) const {
    pointer = reinterpret_cast<Function*>(address(symbol));
  }

 private:
  void* address(const char* symbol) const;

  void* handle_ = nullptr;
  std::string file_name_;
};

}  // namespace tunekeeper
