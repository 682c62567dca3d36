#pragma once

#include <utility>

#include <unistd.h>

namespace tunekeeper {

/// A file descriptor that is closed with its owner; -1 is none.
class Fd {
 public:
  explicit Fd(int number = -1) : number_(number) {}
  ~Fd() { reset(); }
  Fd(Fd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) {
      reset();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  /// Gives it up to another owner.
  int release() { return std::exchange(number_, -1); }
  void reset() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

}  // namespace tunekeeper
