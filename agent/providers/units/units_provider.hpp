#pragma once

#include "providers/conf_files.hpp"
#include "providers/provider.hpp"

namespace tunekeeper {

/// Settings of systemd units, kept by drop-ins beside the unit file.
class UnitsProvider : public Provider {
 public:
  const SectionSpec& section() const override;
  std::vector<Desired> expand(const Context& context, Desired desired) const override;
  std::vector<Observation> observe(const Context& context, std::span<const Desired> wanted) const override;
  std::vector<Action> plan(const Context& context, std::span<const Row> rows) const override;
  std::vector<std::string> statements(const std::string& id, const std::string& path,
                                      std::string_view bytes) const override;
  std::vector<Splice> restate(const std::string& id, const std::string& path, std::string_view bytes,
                              const std::vector<std::string>& statements) const override;
  std::vector<Action> after_files(const Context& context, std::span<const std::string> paths) const override;
  bool is_spent(const std::string& path, std::string_view bytes) const override;
};

/// The parts of "unit:mariadb.service:Service.NUMAPolicy".
struct UnitKey {
  std::string unit, section, key;
};
UnitKey unit_key(std::string_view id);

/// Why these files of the unit (its own first, then its drop-ins) cannot be given the row's value; empty when
/// they can.
std::string unit_obstacle(const HostView& host, const std::string& unit, const std::vector<ConfFile>& files,
                          const Row& row);

/// Edits that give these rows, all of one unit, their persisted values.
std::vector<Action> plan_unit_files(const HostView& host, const std::string& unit,
                                    const std::vector<const Row*>& rows);

std::unique_ptr<Provider> make_units_provider();

}  // namespace tunekeeper
