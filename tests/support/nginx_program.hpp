#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <sys/wait.h>

namespace tunekeeper::test {

/// A folder of this test alone, gone with it.
class TempFolder {
 public:
  TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tk-nginx-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, std::string_view bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  }

 private:
  std::filesystem::path path_;
};

struct NginxVerdict {
  bool accepted = false;
  std::string words;  ///< both streams
};

/// The real nginx on `folder`/nginx.conf ("-t" or "-T"); its pid file stays in the folder. Nothing is
/// started.
/// `own_pid`: the configuration names a pid file itself.
inline NginxVerdict ask_nginx(const TempFolder& folder, const std::string& option = "-t",
                              bool own_pid = false) {
  const std::string dir = folder.path().string();
  const std::string command = "LC_ALL=C /usr/sbin/nginx " + option + " -p " + dir + "/ -c " + dir +
                              "/nginx.conf -e stderr " + (own_pid ? "" : "-g 'pid " + dir + "/nginx.pid;'") +
                              " 2>&1 </dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen failed");
  NginxVerdict verdict;
  char buffer[4096];
  for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) verdict.words.append(buffer, n);
  const int status = pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) == 127) {
    throw std::runtime_error("nginx did not run: install nginx-light; " + verdict.words);
  }
  verdict.accepted = WEXITSTATUS(status) == 0;
  return verdict;
}

/// Whether nginx refused the tokens rather than what they mean.
inline bool refused_for_syntax(const NginxVerdict& verdict) {
  if (verdict.accepted) return false;
  for (const char* words :
       {"] unexpected \"", ": unexpected \"", "unexpected end of file", "too long parameter"}) {
    if (verdict.words.find(words) != std::string::npos) return true;
  }
  return false;
}

}  // namespace tunekeeper::test
