#include "cli/verb.hpp"

int main(int argc, char** argv) {
  return tunekeeper::run_program(argc, argv);
}
