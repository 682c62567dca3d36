#include "core/expression_library.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/version.hpp"

namespace tunekeeper {
namespace {

constexpr const char* version_type = "version";

int extreme(lua_State* state, bool greatest) {
  const int count = lua_gettop(state);
  luaL_checknumber(state, 1);
  int best = 1;
  for (int i = 2; i <= count; ++i) {
    luaL_checknumber(state, i);
    const bool better =
        greatest ? lua_compare(state, best, i, LUA_OPLT) : lua_compare(state, i, best, LUA_OPLT);
    if (better) best = i;
  }
  lua_pushvalue(state, best);
  return 1;
}

int lua_min(lua_State* state) {
  return extreme(state, false);
}
int lua_max(lua_State* state) {
  return extreme(state, true);
}

/// Pushes the number as an integer, or raises an error when it does not fit 64 bits.
int push_integer(lua_State* state, double number) {
  lua_Integer integer = 0;
  if (!lua_numbertointeger(number, &integer)) return luaL_error(state, "the number does not fit 64 bits");
  lua_pushinteger(state, integer);
  return 1;
}

int round_to_fraction(lua_State* state, double step, bool up) {
  if (!(step > 0)) return luaL_error(state, "the step must be above 0");
  const double steps = luaL_checknumber(state, 1) / step;
  const double result = (up ? std::ceil(steps) : std::floor(steps)) * step;
  if (!std::isfinite(result)) return luaL_error(state, "the result is not a finite number");
  if (result == std::trunc(result)) return push_integer(state, result);
  lua_pushnumber(state, result);
  return 1;
}

/// Whole steps in 64-bit arithmetic, so that byte counts stay exact.
int round_to(lua_State* state, bool up) {
  luaL_checknumber(state, 1);
  luaL_checknumber(state, 2);
  int is_integer = 0;
  const lua_Integer step = lua_tointegerx(state, 2, &is_integer);
  if (!is_integer) return round_to_fraction(state, lua_tonumber(state, 2), up);
  if (step <= 0) return luaL_error(state, "the step must be above 0");
  if (!lua_isinteger(state, 1)) {
    const double number = lua_tonumber(state, 1);
    push_integer(state, up ? std::ceil(number) : std::floor(number));
    lua_replace(state, 1);
  }
  const lua_Integer number = lua_tointeger(state, 1);
  lua_Integer rest = number % step;
  if (rest < 0) rest += step;
  lua_Integer result = 0;
  const bool overflow = up && rest != 0 ? __builtin_add_overflow(number, step - rest, &result)
                                        : __builtin_sub_overflow(number, rest, &result);
  if (overflow) return luaL_error(state, "the number does not fit 64 bits");
  lua_pushinteger(state, result);
  return 1;
}

int lua_floor_to(lua_State* state) {
  return round_to(state, false);
}
int lua_ceil_to(lua_State* state) {
  return round_to(state, true);
}

int lua_clamp(lua_State* state) {
  for (int i = 1; i <= 3; ++i) luaL_checknumber(state, i);
  if (lua_compare(state, 3, 2, LUA_OPLT)) return luaL_error(state, "clamp's low is above its high");
  lua_pushvalue(state, lua_compare(state, 1, 2, LUA_OPLT) ? 2 : lua_compare(state, 3, 1, LUA_OPLT) ? 3 : 1);
  return 1;
}

int lua_pick(lua_State* state) {
  for (int i = 1; i <= 3; ++i) luaL_checkany(state, i);
  lua_pushvalue(state, lua_toboolean(state, 1) ? 2 : 3);
  return 1;
}

/// The version or the version-like text at this index.
std::string_view comparable(lua_State* state, int index) {
  std::size_t size = 0;
  if (const char* text = version_text(state, index, &size)) return {text, size};
  if (lua_type(state, index) != LUA_TSTRING)
    luaL_error(state, "a version compares with a text like \"10.11\", not with a %s",
               luaL_typename(state, index));
  const char* text = lua_tolstring(state, index, &size);
  if (!is_version({text, size})) luaL_error(state, "\"%s\" is no version", text);
  return {text, size};
}

int compare_operands(lua_State* state) {
  return compare_versions(comparable(state, 1), comparable(state, 2));
}

int version_less(lua_State* state) {
  lua_pushboolean(state, compare_operands(state) < 0);
  return 1;
}

int version_less_or_equal(lua_State* state) {
  lua_pushboolean(state, compare_operands(state) <= 0);
  return 1;
}

int version_join(lua_State* state) {
  for (int i = 1; i <= 2; ++i) {
    std::size_t size = 0;
    if (const char* text = version_text(state, i, &size)) {
      lua_pushlstring(state, text, size);
      lua_replace(state, i);
    }
  }
  lua_concat(state, 2);
  return 1;
}

constexpr luaL_Reg version_methods[] = {
    {"__lt", version_less}, {"__le", version_less_or_equal}, {"__concat", version_join}, {nullptr, nullptr}};
constexpr luaL_Reg functions[] = {{"min", lua_min},         {"max", lua_max},     {"floor_to", lua_floor_to},
                                  {"ceil_to", lua_ceil_to}, {"clamp", lua_clamp}, {"pick", lua_pick},
                                  {nullptr, nullptr}};

struct Constant {
  const char* name;
  lua_Integer value;
};
constexpr Constant constants[] = {
    {"KiB", 1LL << 10}, {"MiB", 1LL << 20}, {"GiB", 1LL << 30}, {"TiB", 1LL << 40}};

// math.random would give another wish at each run.
constexpr const char* math_left_out[] = {"random", "randomseed"};

constexpr const char* names[] = {"min",
                                 "max",
                                 "floor_to",
                                 "ceil_to",
                                 "clamp",
                                 "pick",
                                 "KiB",
                                 "MiB",
                                 "GiB",
                                 "TiB",
                                 "math.abs",
                                 "math.acos",
                                 "math.asin",
                                 "math.atan",
                                 "math.ceil",
                                 "math.cos",
                                 "math.deg",
                                 "math.exp",
                                 "math.floor",
                                 "math.fmod",
                                 "math.huge",
                                 "math.log",
                                 "math.max",
                                 "math.maxinteger",
                                 "math.min",
                                 "math.mininteger",
                                 "math.modf",
                                 "math.pi",
                                 "math.rad",
                                 "math.sin",
                                 "math.sqrt",
                                 "math.tan",
                                 "math.tointeger",
                                 "math.type",
                                 "math.ult",
                                 nullptr};

}  // namespace

void add_expression_library(lua_State* state) {
  luaL_setfuncs(state, functions, 0);
  for (const auto& constant : constants) {
    lua_pushinteger(state, constant.value);
    lua_setfield(state, -2, constant.name);
  }
  lua_pushcfunction(state, luaopen_math);
  lua_call(state, 0, 1);
  for (const char* name : math_left_out) {
    lua_pushnil(state);
    lua_setfield(state, -2, name);
  }
  lua_setfield(state, -2, "math");
  luaL_newmetatable(state, version_type);
  luaL_setfuncs(state, version_methods, 0);
  lua_pop(state, 1);
}

void push_version(lua_State* state, const char* text, std::size_t size) {
  lua_newuserdatauv(state, 0, 1);
  lua_pushlstring(state, text, size);
  lua_setiuservalue(state, -2, 1);
  luaL_setmetatable(state, version_type);
}

const char* version_text(lua_State* state, int index, std::size_t* size) {
  if (!luaL_testudata(state, index, version_type)) return nullptr;
  lua_getiuservalue(state, index, 1);
  const char* text = lua_tolstring(state, -1, size);
  lua_pop(state, 1);  // the userdata keeps it alive
  return text;
}

bool is_expression_library_name(const char* name) {
  for (const char* const* own = names; *own; ++own)
    if (std::strcmp(*own, name) == 0) return true;
  return false;
}

const char* const* expression_library_names() {
  return names;
}

}  // namespace tunekeeper
