#include "formats/grub_cfg.hpp"

#include <algorithm>
#include <array>

#include "formats/grub_script.hpp"

namespace tunekeeper {
namespace {

bool is_recovery(const GrubEntry& entry) {
  constexpr std::array<std::string_view, 10> words = {"single",
                                                      "s",
                                                      "S",
                                                      "1",
                                                      "recovery",
                                                      "rescue",
                                                      "emergency",
                                                      "systemd.unit=rescue.target",
                                                      "systemd.unit=emergency.target",
                                                      "systemd.unit=runlevel1.target"};
  const bool told = std::any_of(entry.tokens.begin(), entry.tokens.end(), [&](const KernelToken& token) {
    return std::find(words.begin(), words.end(), token.text()) != words.end();
  });
  return told || entry.id.find("-recovery-") != std::string::npos ||
         entry.kernel.find("rescue") != std::string::npos;
}

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

/// Walks a grub.cfg command by command, and keeps which blocks are open.
class GrubCfgReader {
 public:
  GrubCfgReader(std::string_view bytes, std::string_view grubenv,
                const std::function<bool(std::string_view)>& is_ours)
      : bytes_(bytes), environment_(grub_environment(grubenv)), is_ours_(is_ours) {}

  GrubCfg read() {
    for (std::size_t at = 0; at < bytes_.size();) {
      const GrubCommand command = grub_command(bytes_, at);
      const char stop = command.end < bytes_.size() ? bytes_[command.end] : '\n';
      if (stop == '{') {
        open(command);
      } else {
        run(command);
      }
      if (stop == '}' && !blocks_.empty()) close();
      at = command.end + 1;
    }
    return std::move(cfg_);
  }

 private:
  enum class Block { entry, submenu, other };

  /// Menus within menus that are followed; no generator goes beyond two.
  static constexpr std::size_t deepest_menu = 100;

  void open(const GrubCommand& command) {
    const std::string word = command.words.empty() ? "" : command.words[0].text;
    const Block block = place_.size() >= deepest_menu ? Block::other
                        : word == "menuentry"         ? Block::entry
                        : word == "submenu"           ? Block::submenu
                                                      : Block::other;
    blocks_.push_back(block);
    if (block == Block::other) return;
    open_entries_ += block == Block::entry ? 1 : 0;
    if (counts_.empty()) counts_.push_back(0);
    place_.push_back(counts_.back()++);
    counts_.push_back(0);
    GrubCfg::Menu menu = heading(command);
    menu.place = place_;
    if (block == Block::entry) {
      cfg_.entries_.push_back({});
      cfg_.entries_.back().title = menu.title;
      cfg_.entries_.back().id = menu.id;
      cfg_.entries_.back().place = place_;
    }
    cfg_.menus_.push_back(std::move(menu));
  }

  static GrubCfg::Menu heading(const GrubCommand& command) {
    constexpr std::array<std::string_view, 5> with_argument = {"--class", "--users", "--hotkey", "--source",
                                                               "--id"};
    GrubCfg::Menu menu;
    bool titled = false;
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      const GrubWord& word = command.words[i];
      const bool id = word.text == "--id" || word.variable == "menuentry_id_option";
      if (id || std::find(with_argument.begin(), with_argument.end(), word.text) != with_argument.end()) {
        if (id && i + 1 < command.words.size()) menu.id = command.words[i + 1].text;
        ++i;
      } else if (word.text.compare(0, 5, "--id=") == 0) {
        menu.id = word.text.substr(5);
      } else if (!titled && word.text.compare(0, 2, "--") != 0) {
        menu.title = word.text;
        titled = true;
      }
    }
    return menu;
  }

  void close() {
    const Block block = blocks_.back();
    blocks_.pop_back();
    if (block == Block::other) return;
    open_entries_ -= block == Block::entry ? 1 : 0;
    place_.pop_back();
    counts_.pop_back();
  }

  void run(const GrubCommand& command) {
    if (command.words.size() < 2) return;
    const std::string& name = command.words[0].text;
    const bool in_entry = open_entries_ > 0;
    if (name == "set" && !in_entry) set_default(command.words[1]);
    if (in_entry && (name == "linux" || name == "linuxefi" || name == "linux16")) linux_line(command);
  }

  void set_default(const GrubWord& word) {
    if (word.text.compare(0, 8, "default=") != 0) return;
    std::string value = word.text.substr(8);
    const auto variable = environment_.find(word.variable);
    if (word.variable == "next_entry") {
      if (variable != environment_.end()) next_ = variable->second;
    } else if (word.variable == "saved_entry") {
      const auto previous = environment_.find("prev_saved_entry");
      const auto& saved = previous != environment_.end() && !previous->second.empty() ? previous : variable;
      cfg_.default_ = saved == environment_.end() ? "" : saved->second;
    } else {
      cfg_.default_ = value;
    }
    if (!next_.empty()) cfg_.default_ = next_;
  }

  void linux_line(const GrubCommand& command) {
    GrubEntry& entry = cfg_.entries_.back();
    if (!entry.kernel.empty()) return;
    entry.kernel = command.words[1].text;
    for (std::size_t i = 2; i < command.words.size(); ++i) {
      const GrubWord& word = command.words[i];
      if (word.text == "--") break;
      if (!word.text.empty()) entry.tokens.push_back(kernel_token(word.text));
    }
    const bool foreign = entry.id.compare(0, 9, "osprober-") == 0 ||
                         base_name(entry.kernel).compare(0, 7, "memtest") == 0 ||
                         !is_ours_(base_name(entry.kernel));
    entry.kind = foreign              ? GrubEntryKind::other
                 : is_recovery(entry) ? GrubEntryKind::recovery
                                      : GrubEntryKind::normal;
  }

  std::string_view bytes_;
  std::map<std::string, std::string, std::less<>> environment_;
  const std::function<bool(std::string_view)>& is_ours_;
  GrubCfg cfg_;
  std::string next_;
  std::vector<Block> blocks_;
  std::size_t open_entries_ = 0;
  std::vector<std::size_t> place_;
  std::vector<std::size_t> counts_;
};

GrubCfg GrubCfg::parse(std::string_view bytes, std::string_view grubenv,
                       const std::function<bool(std::string_view kernel)>& is_ours) {
  return GrubCfgReader(bytes, grubenv, is_ours).read();
}

/// `spec` is an index, an id or a title; `a>b` goes into a submenu; `>>` is a literal `>`.
std::optional<std::vector<std::size_t>> GrubCfg::find(std::string_view spec) const {
  std::vector<std::string> steps(1);
  for (std::size_t i = 0; i < spec.size(); ++i) {
    if (spec.substr(i, 2) == ">>") {
      steps.back() += spec[i++];
    } else if (spec[i] == '>') {
      steps.emplace_back();
    } else {
      steps.back() += spec[i];
    }
  }
  std::vector<std::size_t> place;
  for (const std::string& step : steps) {
    const bool number =
        !step.empty() && step.size() < 6 && step.find_first_not_of("0123456789") == std::string::npos;
    const auto found = std::find_if(menus_.begin(), menus_.end(), [&](const Menu& menu) {
      if (menu.place.size() != place.size() + 1 ||
          !std::equal(place.begin(), place.end(), menu.place.begin()))
        return false;
      return number ? menu.place.back() == std::stoul(step) : menu.id == step || menu.title == step;
    });
    if (found == menus_.end()) return std::nullopt;
    place = found->place;
  }
  return place;
}

const GrubEntry* GrubCfg::default_entry() const {
  if (entries_.empty()) return nullptr;
  const std::optional<std::vector<std::size_t>> place = find(default_);
  if (default_.empty() || !place) return &entries_.front();
  // A submenu as the default boots the first entry in it.
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const GrubEntry& entry) {
    return entry.place.size() >= place->size() &&
           std::equal(place->begin(), place->end(), entry.place.begin());
  });
  return found == entries_.end() ? &entries_.front() : &*found;
}

std::map<std::string, std::string, std::less<>> grub_environment(std::string_view bytes) {
  std::map<std::string, std::string, std::less<>> made;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string_view line = bytes.substr(at, end - at);
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos && line[0] != '#')
      made[std::string(line.substr(0, equals))] = line.substr(equals + 1);
    at = end + 1;
  }
  return made;
}

}  // namespace tunekeeper
