#include "engine/survey.hpp"

#include <map>
#include <utility>

#include "host/glob.hpp"

namespace tunekeeper {
namespace {

const Provider* find_provider(std::string_view prefix) {
  for (const auto& provider : all_providers()) {
    if (provider->section().id_prefix == prefix) return provider.get();
  }
  return nullptr;
}

}  // namespace

const Provider& provider_of(std::string_view id) {
  const Provider* provider = find_provider(id.substr(0, id.find(':')));
  if (provider == nullptr) throw Error("no provider of this program has the setting " + std::string(id));
  return *provider;
}

bool selected_by(const std::vector<std::string>& only, std::string_view id) {
  bool asked = true;
  bool any_positive = false;
  bool matched = false;
  for (const std::string& glob : only) {
    if (glob.starts_with('!')) {
      asked = asked && !glob_matches(std::string_view(glob).substr(1), id);
    } else {
      any_positive = true;
      matched = matched || glob_matches(glob, id);
    }
  }
  return asked && (matched || !any_positive);
}

std::vector<Desired> expand(const Context& context, const std::vector<Desired>& wishes) {
  std::vector<Desired> all;
  std::map<std::string, std::size_t> place;
  for (const Desired& wish : wishes) {
    for (Desired& one : provider_of(wish.id).expand(context, wish)) {
      const auto [found, is_new] = place.emplace(one.id, all.size());
      if (is_new) {
        all.push_back(std::move(one));
      } else {
        all[found->second] = std::move(one);
      }
    }
  }
  return all;
}

std::vector<Row> survey(const Context& context, std::vector<Desired> wishes, PlaneSet planes) {
  std::map<const Provider*, std::vector<std::size_t>> by_provider;
  for (std::size_t i = 0; i < wishes.size(); ++i) by_provider[&provider_of(wishes[i].id)].push_back(i);

  std::vector<Row> rows(wishes.size());
  for (const auto& [provider, places] : by_provider) {
    std::vector<Desired> theirs;
    theirs.reserve(places.size());
    for (const std::size_t place : places) theirs.push_back(std::move(wishes[place]));
    std::vector<Observation> seen = provider->observe(context, theirs);
    for (std::size_t i = 0; i < places.size(); ++i) {
      rows[places[i]] = judge(std::move(theirs[i]), std::move(seen[i]), planes);
    }
  }
  return rows;
}

}  // namespace tunekeeper
