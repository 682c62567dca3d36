#pragma once

#include <cstddef>

#include <lua.hpp>

namespace tunekeeper {

/// Puts the sandbox's own functions (min, max, floor_to, ceil_to, clamp, pick), the math table and the
/// constants KiB MiB GiB TiB into the table on top of the stack, and registers the metatable of versions.
/// Part of core/expression.cpp; nothing else includes this.
void add_expression_library(lua_State* state);

/// Pushes a version: compares part by part with other versions and with texts, and is a text when joined by
/// `..`.
void push_version(lua_State* state, const char* text, std::size_t size);

/// The text of the version at this index; nothing (null) when there is none.
const char* version_text(lua_State* state, int index, std::size_t* size);

/// Whether the dotted name is one of the sandbox's own: "max", "math.floor", "MiB", "math".
bool is_expression_library_name(const char* name);

/// Every own name, null-terminated, for "did you mean".
const char* const* expression_library_names();

}  // namespace tunekeeper
