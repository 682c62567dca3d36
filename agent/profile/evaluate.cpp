#include "profile/evaluate.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "core/compare.hpp"
#include "core/nearest.hpp"
#include "profile/profile_vars.hpp"
#include "profile/template.hpp"

namespace tunekeeper {
namespace {

/// A fault of evaluation at its place.
struct Fault {
  Diagnostic diagnostic;
  bool missing_fact = false;
};

[[noreturn]] void fail(const Position& at, std::string message) {
  throw Fault{{at, std::move(message)}};
}

/// Whether a template names a fact or variable, rather than computing something: the profile computes.
bool is_plain_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

/// Collects wishes; a later one of the same id takes the place of the first.
class Wishes {
 public:
  void add(Desired wish) { put({std::move(wish), {}, false}, true); }
  void add(Unresolved wish) { put(std::move(wish), false); }

  Evaluation take() {
    Evaluation result;
    for (auto& [unresolved, known] : wishes_) {
      if (known) {
        result.desired.push_back(std::move(unresolved.wish));
      } else {
        result.unresolved.push_back(std::move(unresolved));
      }
    }
    return result;
  }

 private:
  struct Wish {
    Unresolved wish;
    bool known;
  };

  void put(Unresolved wish, bool known) {
    const auto [place, is_new] = places_.try_emplace(wish.wish.id, wishes_.size());
    if (is_new) {
      wishes_.push_back({std::move(wish), known});
    } else {
      wishes_[place->second] = {std::move(wish), known};
    }
  }

  std::vector<Wish> wishes_;
  std::unordered_map<std::string, std::size_t> places_;
};

/// Evaluates the settings of one profile.
class SettingEvaluator {
 public:
  SettingEvaluator(const Profile& profile, const FactSource& facts, Evaluator& evaluator)
      : profile_(profile),
        evaluator_(evaluator),
        vars_(profile.vars, facts, evaluator),
        scope_{&facts, &vars_} {}

  /// Every wish that the setting makes; its keys may make several.
  void evaluate(const Setting& setting, Wishes& wishes) {
    std::vector<Desired> made;
    try {
      if (setting.when && !holds(*setting.when)) return;
      for (auto& keys : expand_keys(setting)) made.push_back(wish(setting, std::move(keys)));
      for (auto& each : made)
        if (!decide(setting, each)) return;
    } catch (const Fault& fault) {
      if (!fault.missing_fact) throw;
      if (made.empty()) made.push_back(as_written(setting));
      for (auto& each : made) wishes.add(Unresolved{std::move(each), fault.diagnostic.message, false});
      return;
    }
    for (auto& each : made) wishes.add(std::move(each));
  }

  /// The setting with its keys as they are written, and no value.
  Desired as_written(const Setting& setting) const {
    std::vector<std::string> keys;
    for (const auto& key : setting.keys) keys.push_back(key.has_expressions() ? key.raw : key.literal());
    return wish(setting, std::move(keys));
  }

 private:
  Desired wish(const Setting& setting, std::vector<std::string> keys) const {
    Desired desired;
    desired.id = setting_id(*setting.section, keys);
    desired.path = std::move(keys);
    desired.profile = profile_.name;
    desired.at = setting.at;
    desired.why = setting.why;
    desired.source = setting.source;
    desired.restore_on_release = setting.restore_on_release;
    return desired;
  }

  /// Runs something of the evaluator, with the place of the expression put to its errors.
  template <typename Function>
  auto at_place(const Text::Piece& piece, Function function) {
    try {
      return function();
    } catch (const ExpressionError& error) {
      throw Fault{{place_in(piece, error.column()), error.what()}, error.missing_fact()};
    }
  }

  bool holds(const Text& when) {
    const auto& piece = when.pieces.front();
    return at_place(piece, [&] { return evaluator_.holds(piece.text, scope_); });
  }

  Scalar value_of(const Text::Piece& piece) {
    return at_place(piece, [&] { return evaluator_.evaluate(piece.text, scope_); });
  }

  /// Every key path that the keys make: an expression that gives a list makes one each.
  std::vector<std::vector<std::string>> expand_keys(const Setting& setting) {
    std::vector<std::vector<std::string>> paths = {{}};
    for (const auto& key : setting.keys) {
      std::vector<std::vector<std::string>> longer;
      for (const auto& text : expand_key(key)) {
        for (const auto& path : paths) {
          longer.push_back(path);
          longer.back().push_back(text);
        }
      }
      paths = std::move(longer);
    }
    if (setting.section->key_problem)
      for (const auto& path : paths)
        if (const auto problem = setting.section->key_problem(path))
          fail(setting.at, fmt::format("{}: {}", path.back(), *problem));
    return paths;
  }

  std::vector<std::string> expand_key(const Text& key) {
    std::vector<std::string> texts = {""};
    for (const auto& piece : key.pieces) {
      std::vector<std::string> choices = {piece.text};
      if (piece.is_expression) choices = choices_of(piece);
      std::vector<std::string> longer;
      for (const auto& text : texts)
        for (const auto& choice : choices) append_limited(longer.emplace_back(text), choice);
      texts = std::move(longer);
    }
    return texts;
  }

  std::vector<std::string> choices_of(const Text::Piece& piece) {
    const Scalar scalar = value_of(piece);
    const auto* list = std::get_if<std::vector<std::string>>(&scalar);
    if (!list) return {to_string(scalar)};
    if (list->empty()) throw Fault{{piece.at, fmt::format("\"{}\" is an empty list here", piece.text)}, true};
    return *list;
  }

  /// Gives the wish its value; false when that is an unset variable, so that nothing is wanted.
  bool decide(const Setting& setting, Desired& desired) {
    if (setting.template_name) {
      desired.value = Value::of(render(setting));
      return true;
    }
    const StatedValue& stated = setting.by ? chosen(setting) : setting.value;
    if (stated.items.size() == 1 && is_unset(stated.items.front())) return false;
    desired.want = stated.absent ? Want::absent : setting.want;
    desired.value.repeated = stated.repeated;
    for (const auto& item : stated.items) desired.value.items.push_back(text_of(item, *setting.section));
    if (setting.want == Want::equals) return true;
    const std::string& bound = desired.value.items.front();
    if (!order(ValueType::size, bound, bound))
      fail(setting.value.items.front().at, fmt::format("a bound must be a number, not \"{}\"", bound));
    return true;
  }

  /// Whether the text is just `${ vars.NAME }` of a variable that is unset.
  bool is_unset(const Text& text) const {
    if (!text.is_expression()) return false;
    std::string_view name = text.pieces.front().text;
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    name = name.substr(0, name.find_last_not_of(' ') + 1);
    if (!name.starts_with("vars.")) return false;
    const auto var = profile_.vars.find(name.substr(5));
    return var != profile_.vars.end() && !var->second.is_set();
  }

  const StatedValue& chosen(const Setting& setting) {
    const auto& piece = setting.by->pieces.front();
    const std::string name = to_string(value_of(piece));
    std::vector<std::string> known;
    for (const auto& each : setting.cases) {
      if (each.name == name) return each.value;
      known.push_back(each.name);
    }
    if (setting.default_value) return *setting.default_value;
    fail(piece.at, fmt::format("{} is \"{}\" here: there is no case for it and no default (cases: {})",
                               piece.text, name, fmt::join(known, ", ")));
  }

  std::string text_of(const Text& text, const SectionSpec& section) {
    std::string result;
    for (const auto& piece : text.pieces) {
      const std::string part = piece.is_expression ? single_value(piece, section) : piece.text;
      at_place(piece, [&] { append_limited(result, part); });
    }
    return result;
  }

  std::string single_value(const Text::Piece& piece, const SectionSpec& section) {
    const Scalar scalar = value_of(piece);
    std::string text = to_string(scalar);
    if (std::holds_alternative<std::vector<std::string>>(scalar))
      fail(piece.at, "the expression gives a list: a value is a single text");
    const auto* number = std::get_if<double>(&scalar);
    if (number && text.find('.') != std::string::npos && !section.fractions)
      fail(piece.at,
           fmt::format("the expression gives a fraction ({}): use floor_to(…, 1) or ceil_to(…, 1)", text));
    return text;
  }

  std::string render(const Setting& setting) {
    const auto look_up = [&](const std::string& name) {
      if (!is_plain_name(name)) throw ExpressionError(fmt::format("\"{}\" is no name", name), false);
      const auto problems = evaluator_.check(name, scope_);
      if (!problems.empty()) throw ExpressionError(problems.front().message, false);
      return evaluator_.evaluate(name, scope_);
    };
    try {
      return render_template(setting.template_text, look_up);
    } catch (const ExpressionError& error) {
      throw Fault{{setting.template_name->at, template_words(setting, error)}, error.missing_fact()};
    } catch (const Error& error) {
      fail(setting.template_name->at, template_words(setting, error));
    }
  }

  static std::string template_words(const Setting& setting, const Error& error) {
    return fmt::format("template {}: {}", setting.template_name->raw, error.what());
  }

  const Profile& profile_;
  Evaluator& evaluator_;
  ProfileVars vars_;
  Scope scope_;
};

}  // namespace

Evaluation evaluate(const Profile& profile, const FactSource& facts, Evaluator& evaluator,
                    const std::function<bool(std::string_view)>& section_present) {
  SettingEvaluator settings(profile, facts, evaluator);
  Wishes wishes;
  std::vector<Diagnostic> faults;
  for (const auto& setting : profile.settings) {
    if (!section_present(setting.section->name)) {
      wishes.add(Unresolved{settings.as_written(setting), {}, true});
      continue;
    }
    try {
      settings.evaluate(setting, wishes);
    } catch (const Fault& fault) {
      faults.push_back(fault.diagnostic);
    }
  }
  require_none(std::move(faults));
  return wishes.take();
}

Evaluation combine(std::vector<Evaluation> evaluations) {
  Wishes wishes;
  for (auto& evaluation : evaluations) {
    for (auto& wish : evaluation.desired) wishes.add(std::move(wish));
    for (auto& wish : evaluation.unresolved) wishes.add(std::move(wish));
  }
  return wishes.take();
}

}  // namespace tunekeeper
