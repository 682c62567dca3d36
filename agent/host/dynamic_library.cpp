#include "host/dynamic_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/error.hpp"

namespace tunekeeper {

DynamicLibrary::DynamicLibrary(std::string_view purpose, const std::vector<std::string>& file_names) {
  std::string why;
  for (const std::string& name : file_names) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) {
      file_name_ = name;
      return;
    }
    const char* message = dlerror();
    if (why.empty() && message != nullptr) why = message;
  }
  throw Error(fmt::format("cannot load the library for {}: {}", purpose, why))
      .with_next(fmt::format("install the package that holds {}", file_names.front()));
}

void* DynamicLibrary::address(const char* symbol) const {
  void* found = dlsym(handle_, symbol);
  if (found == nullptr) throw Error(fmt::format("{} has no function {}", file_name_, symbol));
  return found;
}

}  // namespace tunekeeper
