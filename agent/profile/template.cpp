#include "profile/template.hpp"

#include <map>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <kainjow/mustache.hpp>

#include "core/error.hpp"

namespace tunekeeper {
namespace {

using Data = kainjow::mustache::data;

Data to_data(const Scalar& scalar) {
  if (const auto* truth = std::get_if<bool>(&scalar)) return Data(*truth);
  const auto* list = std::get_if<std::vector<std::string>>(&scalar);
  if (!list) return Data(to_string(scalar));
  Data data(Data::type::list);
  for (const auto& item : *list) data.push_back(Data(item));
  return data;
}

/// Asks the lookup for every name, instead of holding data; keeps what it gave while the template is
/// rendered.
class LookupContext : public kainjow::mustache::basic_context<std::string> {
 public:
  explicit LookupContext(const TemplateLookup& lookup) : lookup_(lookup) {}

  void push(const Data* data) override { open_.push_back(data); }
  void pop() override { open_.pop_back(); }

  const Data* get(const std::string& name) const override {
    if (name == ".") {
      if (open_.empty()) throw Error("{{.}} stands outside of a list");
      return open_.back();
    }
    const auto known = known_.find(name);
    if (known != known_.end()) return &known->second;
    return &known_.emplace(name, to_data(lookup_(name))).first->second;
  }

  const Data* get_partial(const std::string& name) const override {
    throw Error(fmt::format("{{{{>{}}}}}: a template cannot include another", name));
  }

 private:
  const TemplateLookup& lookup_;
  std::vector<const Data*> open_;
  mutable std::map<std::string, Data> known_;
};

}  // namespace

std::string render_template(const std::string& text, const TemplateLookup& lookup) {
  kainjow::mustache::mustache parsed(text);
  if (!parsed.is_valid()) throw Error(fmt::format("the template does not parse: {}", parsed.error_message()));
  parsed.set_custom_escape([](const std::string& value) { return value; });
  LookupContext context(lookup);
  std::string rendered = parsed.render(context);
  if (!parsed.is_valid())
    throw Error(fmt::format("the template cannot be rendered: {}", parsed.error_message()));
  return rendered;
}

}  // namespace tunekeeper
