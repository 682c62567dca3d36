#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/facts.hpp"

namespace tunekeeper::test {

/// Facts that a test states; what it asks for is counted.
class StatedFacts : public FactSource {
 public:
  StatedFacts& set(const std::string& name, Scalar value) {
    facts_[name] = {FactValue::Kind::value, std::move(value), {}};
    return add_name(name);
  }
  StatedFacts& miss(const std::string& name, std::string reason) {
    facts_[name] = {FactValue::Kind::missing, {}, std::move(reason)};
    return add_name(name);
  }
  StatedFacts& offer(const std::string& name, std::vector<std::string> values) {
    values_[name] = std::move(values);
    return *this;
  }

  FactValue fact(std::string_view name) const override {
    asked.insert(std::string(name));
    const auto found = facts_.find(name);
    return found == facts_.end() ? FactValue{} : found->second;
  }
  const std::vector<std::string>& names() const override { return names_; }
  std::vector<std::string> values(std::string_view name) const override {
    const auto found = values_.find(name);
    return found == values_.end() ? std::vector<std::string>{} : found->second;
  }

  mutable std::set<std::string> asked;

 private:
  StatedFacts& add_name(const std::string& name) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
    std::sort(names_.begin(), names_.end());
    return *this;
  }

  std::map<std::string, FactValue, std::less<>> facts_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::vector<std::string> names_;
};

}  // namespace tunekeeper::test
