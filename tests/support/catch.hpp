#pragma once

// The one place that knows which Catch2 is there: Debian 12 has 2.13, Debian 13 has 3.
#ifdef TUNEKEEPER_CATCH3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
