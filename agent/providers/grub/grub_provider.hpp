#pragma once

#include "providers/provider.hpp"

namespace tunekeeper {

/// Kernel parameters of hosts that boot by GRUB's generated menu: grub:NAME.
class GrubProvider : public Provider {
 public:
  const SectionSpec& section() const override;
  std::vector<Observation> observe(const Context& context, std::span<const Desired> wanted) const override;
  std::vector<Action> plan(const Context& context, std::span<const Row> rows) const override;
  std::vector<std::string> statements(const std::string& id, const std::string& path,
                                      std::string_view bytes) const override;
  std::vector<Splice> restate(const std::string& id, const std::string& path, std::string_view bytes,
                              const std::vector<std::string>& statements) const override;
  std::vector<Action> after_files(const Context& context, std::span<const std::string> paths) const override;
  std::string guard(const Context& context, const Row& row) const override;
  bool is_spent(const std::string& path, std::string_view bytes) const override;
};

std::unique_ptr<Provider> make_grub_provider();

}  // namespace tunekeeper
