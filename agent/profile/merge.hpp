#pragma once

#include <set>
#include <string>
#include <vector>

#include "profile/loader.hpp"

namespace tunekeeper {

/// Gathers the files of one profile, bases before what extends them, each once, then its drop-ins.
class Gatherer {
 public:
  struct File {
    ProfileFile content;
    bool is_drop_in = false;
  };

  Gatherer(SearchPath& path, const Sections& sections, std::vector<Diagnostic>& faults)
      : path_(path), sections_(sections), faults_(faults) {}

  /// By name, as stated at `from` (the command line has no place).
  void add_named(const std::string& name, const Position& from);
  /// By its file.
  void add_file(const FoundFile& file, const std::string& name, bool with_drop_ins);

  std::vector<File>& files() { return files_; }

 private:
  void read(const FoundFile& file, bool is_drop_in);

  SearchPath& path_;
  const Sections& sections_;
  std::vector<Diagnostic>& faults_;
  std::vector<File> files_;
  std::vector<std::string> chain_;  ///< being gathered, outermost first
  std::set<std::string> done_;
};

/// Reports everything that shows without a fact's value: expressions that do not parse, unknown names, cases
/// that leave values out, variables of drop-ins that nobody knows.
void check_files(const std::vector<Gatherer::File>& files, const Vars& vars, const FactSource& facts,
                 Evaluator& evaluator, std::vector<Diagnostic>& faults);

/// Later statements of a setting take the place of the first.
std::vector<Setting> merge_settings(std::vector<Gatherer::File>& files);

}  // namespace tunekeeper
