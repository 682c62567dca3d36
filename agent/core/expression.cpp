#include "core/expression.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "core/expression_library.hpp"
#include "core/expression_syntax.hpp"
#include "core/nearest.hpp"

namespace tunekeeper {
namespace {

constexpr std::size_t memory_limit = 16U << 20;
constexpr int instruction_limit = 100'000;
constexpr int instructions_per_check = 1'000;
constexpr const char* group_type = "group of facts";
constexpr const char* vars_type = "vars";

struct CloseState {
  void operator()(lua_State* state) const { lua_close(state); }
};
using LuaState = std::unique_ptr<lua_State, CloseState>;

bool has(const std::vector<std::string>& sorted, std::string_view name) {
  return std::binary_search(sorted.begin(), sorted.end(), name, std::less<std::string_view>());
}

/// Whether some fact's name begins with "group.".
bool is_group(const std::vector<std::string>& sorted, std::string_view group) {
  const std::string prefix = fmt::format("{}.", group);
  const auto first = std::lower_bound(sorted.begin(), sorted.end(), prefix);
  return first != sorted.end() && first->starts_with(prefix);
}

/// Everything that an expression may begin with, for "did you mean".
std::vector<std::string> known_names(const Scope& scope) {
  std::vector<std::string> known = scope.facts ? scope.facts->names() : std::vector<std::string>{};
  for (const char* const* name = expression_library_names(); *name; ++name) known.emplace_back(*name);
  if (scope.vars)
    for (const auto& name : scope.vars->names()) known.push_back(fmt::format("vars.{}", name));
  return known;
}

std::string unknown_name(std::string_view name, const Scope& scope) {
  if (name.starts_with("vars."))
    return fmt::format("no variable is named \"{}\"{}", name.substr(5),
                       did_you_mean(name, known_names(scope)));
  return fmt::format("no fact is named \"{}\"{}", name, did_you_mean(name, known_names(scope)));
}

/// "expression:1: attempt to …" without its place: Lua knows the line only, and the caller knows better.
std::string plain_message(std::string_view message) {
  if (message.starts_with("expression:")) {
    const std::size_t end = message.find(": ");
    if (end != std::string_view::npos) message.remove_prefix(end + 2);
  }
  std::string text(message);
  for (const std::string_view eof : {" near <eof>", " near '<eof>'"})
    if (text.ends_with(eof))
      text.replace(text.size() - eof.size(), eof.size(), " at the end of the expression");
  return text;
}

}  // namespace

/// One Lua state, and what the callbacks out of it need.
struct Evaluator::Sandbox {
  std::size_t memory = 0;
  int instructions = 0;
  int depth = 0;
  const Scope* scope = nullptr;
  /// Set by a callback before it raises a Lua error; Lua lets no C++ exception through as it is.
  std::optional<ExpressionError> pending;
  LuaState lua;

  Sandbox();

  Scalar run(std::string_view expression, const Scope& scope, bool only_whether, bool* holds);
  Scalar result(bool only_whether, bool* holds);
  [[noreturn]] void fail(int status);
  void push_name(const std::string& name);
  void push_scalar(const Scalar& scalar, std::string_view name);

  static Sandbox& of(lua_State* state) { return **static_cast<Sandbox**>(lua_getextraspace(state)); }
  static int raise(lua_State* state, ExpressionError error);
  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t new_size);
  static int panic(lua_State*) { throw Error("the expression sandbox is out of memory"); }
  static void count(lua_State* state, lua_Debug*);
  static int index_globals(lua_State* state);
  static int index_group(lua_State* state);
  static int index_vars(lua_State* state);
};

Evaluator::Sandbox::Sandbox() : lua(lua_newstate(allocate, this)) {
  if (!lua) throw Error("cannot make a Lua state: out of memory");
  lua_State* state = lua.get();
  *static_cast<Sandbox**>(lua_getextraspace(state)) = this;
  lua_atpanic(state, panic);
  const auto add_type = [&](const char* name, lua_CFunction index) {
    luaL_newmetatable(state, name);
    lua_pushcfunction(state, index);
    lua_setfield(state, -2, "__index");
    lua_pop(state, 1);
  };
  add_type(group_type, index_group);
  add_type(vars_type, index_vars);
  add_type("globals", index_globals);
  lua_pushglobaltable(state);
  add_expression_library(state);
  lua_newuserdatauv(state, 0, 0);
  luaL_setmetatable(state, vars_type);
  lua_setfield(state, -2, "vars");
  luaL_setmetatable(state, "globals");
  lua_pop(state, 1);
  lua_sethook(state, count, LUA_MASKCOUNT, instructions_per_check);
}

void* Evaluator::Sandbox::allocate(void* self, void* block, std::size_t old_size, std::size_t new_size) {
  auto& used = static_cast<Sandbox*>(self)->memory;
  const std::size_t before = block ? old_size : 0;  // without a block, old_size is a type tag
  if (new_size == 0) {
    std::free(block);
    used -= before;
    return nullptr;
  }
  if (used - before + new_size > memory_limit) return nullptr;
  void* grown = std::realloc(block, new_size);
  if (grown) used = used - before + new_size;
  return grown;
}

void Evaluator::Sandbox::count(lua_State* state, lua_Debug*) {
  auto& self = of(state);
  self.instructions += instructions_per_check;
  if (self.instructions >= instruction_limit)
    raise(state,
          ExpressionError(fmt::format("the expression takes more than {} steps", instruction_limit), false));
}

int Evaluator::Sandbox::raise(lua_State* state, ExpressionError error) {
  auto& pending = of(state).pending;
  if (!pending) pending.emplace(std::move(error));
  lua_pushnil(state);
  return lua_error(state);
}

void Evaluator::Sandbox::push_scalar(const Scalar& scalar, std::string_view name) {
  lua_State* state = lua.get();
  if (const auto* truth = std::get_if<bool>(&scalar)) {
    lua_pushboolean(state, *truth);
  } else if (const auto* integer = std::get_if<std::int64_t>(&scalar)) {
    lua_pushinteger(state, *integer);
  } else if (const auto* number = std::get_if<double>(&scalar)) {
    lua_pushnumber(state, *number);
  } else if (const auto* text = std::get_if<std::string>(&scalar)) {
    if (is_version_name(name)) return push_version(state, text->data(), text->size());
    lua_pushlstring(state, text->data(), text->size());
  } else {
    const auto& list = std::get<std::vector<std::string>>(scalar);
    lua_createtable(state, static_cast<int>(list.size()), 0);
    for (std::size_t i = 0; i < list.size(); ++i) {
      lua_pushlstring(state, list[i].data(), list[i].size());
      lua_rawseti(state, -2, static_cast<lua_Integer>(i) + 1);
    }
  }
}

/// Pushes the fact, or the group of facts, of this dotted name.
void Evaluator::Sandbox::push_name(const std::string& name) {
  lua_State* state = lua.get();
  static const std::vector<std::string> none;
  const auto& names = scope->facts ? scope->facts->names() : none;
  if (has(names, name)) {
    const FactValue fact = scope->facts->fact(name);
    if (fact.kind == FactValue::Kind::value) return push_scalar(fact.value, name);
    raise(state, ExpressionError(fmt::format("{} is not known here: {}", name, fact.reason), true));
  } else if (is_group(names, name)) {
    lua_newuserdatauv(state, 0, 1);
    lua_pushlstring(state, name.data(), name.size());
    lua_setiuservalue(state, -2, 1);
    luaL_setmetatable(state, group_type);
  } else {
    raise(state, ExpressionError(unknown_name(name, *scope), false));
  }
}

int Evaluator::Sandbox::index_globals(lua_State* state) {
  of(state).push_name(luaL_checkstring(state, 2));
  return 1;
}

int Evaluator::Sandbox::index_group(lua_State* state) {
  lua_getiuservalue(state, 1, 1);
  of(state).push_name(fmt::format("{}.{}", lua_tostring(state, -1), luaL_checkstring(state, 2)));
  return 1;
}

int Evaluator::Sandbox::index_vars(lua_State* state) {
  auto& self = of(state);
  const std::string name = luaL_checkstring(state, 2);
  if (!self.scope->vars || !has(self.scope->vars->names(), name))
    return raise(state, ExpressionError(unknown_name("vars." + name, *self.scope), false));
  std::optional<Scalar> value;
  std::optional<ExpressionError> error;
  try {
    value = self.scope->vars->var(name);
  } catch (const ExpressionError& failure) {
    error = failure;
  }
  if (error) return raise(state, *error);
  if (value) {
    self.push_scalar(*value, {});
  } else {
    lua_pushnil(state);
  }
  return 1;
}

void Evaluator::Sandbox::fail(int status) {
  lua_State* state = lua.get();
  if (pending) {
    const ExpressionError error = *pending;
    pending.reset();
    throw error;
  }
  if (status == LUA_ERRMEM) {
    lua_gc(state, LUA_GCCOLLECT);
    throw ExpressionError("the expression takes more than 16 MiB of memory", false);
  }
  const char* message = lua_tostring(state, -1);
  throw ExpressionError(plain_message(message ? message : "the expression fails"), false);
}

namespace {

/// The item at the top of the stack as text; nothing when it is no text and no number.
std::optional<std::string> item_text(lua_State* state) {
  std::size_t size = 0;
  if (const char* version = version_text(state, -1, &size)) return std::string(version, size);
  if (lua_type(state, -1) == LUA_TSTRING) {
    const char* text = lua_tolstring(state, -1, &size);
    return std::string(text, size);
  }
  if (lua_isinteger(state, -1)) return to_string(Scalar(static_cast<std::int64_t>(lua_tointeger(state, -1))));
  if (lua_type(state, -1) == LUA_TNUMBER) return to_string(Scalar(lua_tonumber(state, -1)));
  return std::nullopt;
}

/// What the value at the top of the stack is, for people.
std::string type_name(lua_State* state) {
  if (luaL_getmetafield(state, -1, "__name") != LUA_TSTRING) return luaL_typename(state, -1);
  std::string name = lua_tostring(state, -1);
  lua_pop(state, 1);
  return name;
}

Scalar list_result(lua_State* state) {
  std::vector<std::string> items;
  const lua_Unsigned size = lua_rawlen(state, -1);
  for (lua_Unsigned i = 1; i <= size; ++i) {
    lua_rawgeti(state, -1, static_cast<lua_Integer>(i));
    auto text = item_text(state);
    lua_pop(state, 1);
    if (!text)
      throw ExpressionError(fmt::format("item {} of the list is neither a text nor a number", i), false);
    items.push_back(std::move(*text));
  }
  return items;
}

}  // namespace

Scalar Evaluator::Sandbox::result(bool only_whether, bool* holds) {
  lua_State* state = lua.get();
  if (only_whether) return *holds = lua_toboolean(state, -1) != 0;
  switch (lua_type(state, -1)) {
    case LUA_TNIL:
      throw ExpressionError("the expression gives nil: a variable in it is unset", false);
    case LUA_TBOOLEAN:
      return lua_toboolean(state, -1) != 0;
    case LUA_TTABLE:
      return list_result(state);
    case LUA_TNUMBER:
      break;
    default:
      if (auto text = item_text(state)) return *text;
      throw ExpressionError(fmt::format("the expression gives a {}, not a value", type_name(state)), false);
  }
  if (lua_isinteger(state, -1)) return static_cast<std::int64_t>(lua_tointeger(state, -1));
  const double number = lua_tonumber(state, -1);
  if (!std::isfinite(number)) throw ExpressionError("the expression divides by zero or overflows", false);
  return number;
}

Scalar Evaluator::Sandbox::run(std::string_view expression, const Scope& names, bool only_whether,
                               bool* holds) {
  struct Restore {
    Sandbox& self;
    int top;
    const Scope* scope;
    ~Restore() {
      lua_settop(self.lua.get(), top);
      self.scope = scope;
      --self.depth;
    }
  };
  lua_State* state = lua.get();
  const Restore restore{*this, lua_gettop(state), scope};
  if (depth++ == 0) instructions = 0;
  scope = &names;
  const auto scan = scan_expression(expression);
  if (!scan.faults.empty())
    throw ExpressionError(scan.faults.front().message, false, scan.faults.front().column);
  if (!lua_checkstack(state, LUA_MINSTACK))
    throw ExpressionError("variables refer to each other too deeply", false);
  const std::string chunk = fmt::format("return {}", expression);
  if (const int status = luaL_loadbufferx(state, chunk.data(), chunk.size(), "=expression", "t"))
    fail(status);
  if (const int status = lua_pcall(state, 0, 1, 0)) fail(status);
  return result(only_whether, holds);
}

Evaluator::Evaluator() : sandbox_(std::make_unique<Sandbox>()) {}
Evaluator::~Evaluator() = default;

Scalar Evaluator::evaluate(std::string_view expression, const Scope& scope) {
  return sandbox_->run(expression, scope, false, nullptr);
}

bool Evaluator::holds(std::string_view expression, const Scope& scope) {
  bool holds = false;
  sandbox_->run(expression, scope, true, &holds);
  return holds;
}

namespace {

/// What is wrong with a name in an expression; nothing when it can be resolved.
std::optional<std::string> name_problem(const std::string& name, const Scope& scope) {
  if (is_expression_library_name(name.c_str())) return std::nullopt;
  if (name.starts_with("vars.")) {
    const bool declared = scope.vars && has(scope.vars->names(), std::string_view(name).substr(5));
    return declared ? std::nullopt : std::optional(unknown_name(name, scope));
  }
  const std::vector<std::string> none;
  const auto& facts = scope.facts ? scope.facts->names() : none;
  if (has(facts, name)) return std::nullopt;
  if (name == "vars" || name == "math" || is_group(facts, name))
    return fmt::format("\"{}\" is a group, not a value: write {}.NAME", name, name);
  return unknown_name(name, scope);
}

}  // namespace

std::vector<ExpressionFault> Evaluator::check(std::string_view expression, const Scope& scope) {
  auto scan = scan_expression(expression);
  for (const auto& use : scan.names)
    if (auto problem = name_problem(use.name, scope))
      scan.faults.push_back({use.column, std::move(*problem)});
  if (scan.faults.empty()) {
    lua_State* state = sandbox_->lua.get();
    const std::string chunk = fmt::format("return {}", expression);
    if (luaL_loadbufferx(state, chunk.data(), chunk.size(), "=expression", "t") != LUA_OK)
      scan.faults.push_back({0, plain_message(lua_tostring(state, -1))});
    lua_pop(state, 1);
  }
  return std::move(scan.faults);
}

}  // namespace tunekeeper
