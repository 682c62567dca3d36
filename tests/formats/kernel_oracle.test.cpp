#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>

#include "formats/kernel_cmdline.hpp"
#include "support/catch.hpp"
#include "support/temp_dir.hpp"

// The kernel itself says how it splits parameters: a user-mode Linux boots once for all cases, and gives each
// to a module, whose arguments its parse_args reads as it reads the command line.

using namespace tunekeeper;

namespace {

namespace fs = std::filesystem;

struct KernelSays {
  int error = 0;        ///< errno of the load
  std::string backend;  ///< two parameters that take a text
  std::string compress;
  std::vector<std::string> unknown;  ///< names of all others, in order

  bool operator==(const KernelSays&) const = default;
};

std::ostream& operator<<(std::ostream& out, const KernelSays& says) {
  out << "error " << says.error << ", backend <" << says.backend << ">, compress <" << says.compress
      << ">, others";
  for (const std::string& name : says.unknown) out << " <" << name << ">";
  return out;
}

std::vector<std::string> unknown_names(const std::string& log) {
  const std::string before = "unknown parameter '";
  const std::string behind = "' ignored";
  std::vector<std::string> names;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t start = line.find(before);
    const std::size_t end = line.rfind(behind);
    if (start != std::string::npos && end != std::string::npos &&
        line.find("' ignored", start) != std::string::npos)
      names.push_back(line.substr(start + before.size(), end - start - before.size()));
  }
  return names;
}

std::string without_line_end(std::string text) {
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

fs::path module_file() {
  for (const auto& entry : fs::recursive_directory_iterator("/usr/lib/uml/modules"))
    if (entry.path().filename() == "pstore.ko") return entry.path();
  throw std::runtime_error("user-mode-linux has no pstore.ko");
}

/// What the kernel says of each case; nothing where this machine runs no user-mode Linux.
std::vector<KernelSays> ask_kernel(const std::vector<std::string>& cases) {
  if (!fs::exists("/usr/bin/linux.uml")) throw std::runtime_error("install user-mode-linux");
  const test::TempDir folder;
  const fs::path root = folder.path();
  for (const char* name : {"proc", "sys", "dev"}) fs::create_directory(root / name);
  fs::copy_file(TUNEKEEPER_KERNEL_ASKER, root / "init");
  fs::copy_file(module_file(), root / "module.ko");
  std::ofstream lines(root / "cases", std::ios::binary);
  for (const std::string& line : cases) lines << line << '\0';
  lines.close();
  const std::string boot =
      "timeout 60 linux.uml mem=64M root=/dev/root rootflags=" + root.string() +
      " rootfstype=hostfs rw init=/init quiet con=null con0=null ssl=null </dev/null >/dev/null 2>&1";
  if (std::system(boot.c_str()) < 0) throw std::runtime_error("system");
  std::ifstream file(root / "answers", std::ios::binary);
  std::vector<KernelSays> answers;
  for (std::string error, backend, compress, log;
       std::getline(file, error, '\0') && std::getline(file, backend, '\0') &&
       std::getline(file, compress, '\0') && std::getline(file, log, '\0');) {
    answers.push_back({std::atoi(error.c_str()), without_line_end(backend), without_line_end(compress),
                       unknown_names(log)});
  }
  return answers;
}

/// What we say; `untouched` is the module without arguments.
KernelSays ours(const std::string& line, const KernelSays& untouched) {
  KernelSays says = untouched;
  for (const KernelToken& token : kernel_tokens(line)) {
    const bool is_backend = same_parameter(token.name, "backend");
    const bool is_compress = same_parameter(token.name, "compress");
    if (!is_backend && !is_compress) {
      says.unknown.push_back(token.name);
      continue;
    }
    if (!token.has_value) return {22, "", "", {}};  // EINVAL: a text is expected
    (is_backend ? says.backend : says.compress) = token.value;
  }
  return says;
}

/// Of a load that failed only that it did.
KernelSays comparable(const KernelSays& says) {
  return says.error == 0 ? says : KernelSays{says.error, "", "", {}};
}

std::vector<std::string> generated(unsigned seed, int count) {
  const std::vector<std::string> pieces = {"backend", "compress=", "backend=", "=",    "\"", "\"",  " ",
                                           " ",       "\t",        "\xa0",     "--",   "x",  "a-b", "'",
                                           "\\",      "1",         "v w",      "\x85", "\v"};
  std::mt19937 random(seed);
  std::vector<std::string> cases;
  for (int i = 0; i < count; ++i) {
    std::string line;
    for (unsigned length = random() % 12 + 1; length > 0; --length) line += pieces[random() % pieces.size()];
    cases.push_back(line);
  }
  return cases;
}

}  // namespace

TEST_CASE("the kernel and we split parameters alike") {
  const unsigned seed = std::random_device{}();
  std::cout << "kernel parameters: seed " << seed << "\n";
  std::vector<std::string> cases = {"",
                                    "backend=a",
                                    "backend=a backend=b x",
                                    "backend=\"a b\" compress=c",
                                    "\"backend=a b\" x",
                                    "\"backend=\"a b\"\" x",
                                    "backend=a\"b c\"d",
                                    "backend=a\xa0x",
                                    "x -- backend=a",
                                    "x \"--\" backend=a",
                                    "x --=1 backend=a",
                                    "backend=\"",
                                    "\"backend=\"a\"",
                                    "\"backend=\"a\"\"",
                                    "\"x y\" \"z",
                                    "==a =b",
                                    "a-b=1 backend=--"};
  for (std::string& line : generated(seed, 1500)) cases.push_back(std::move(line));
  const std::vector<KernelSays> answers = ask_kernel(cases);
  if (answers.empty()) {
    WARN("this machine boots no user-mode Linux: the kernel was not asked");
    return;
  }
  REQUIRE(answers.size() == cases.size());
  REQUIRE(answers.front().error == 0);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO("seed " << seed << ", case <" << cases[i] << ">");
    CHECK(comparable(ours(cases[i], answers.front())) == comparable(answers[i]));
  }
}
