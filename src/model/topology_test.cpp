// What variants of a model share, and what they must not.
#include "model/topology.h"

#include <gtest/gtest.h>

#include "model/kinematics.h"
#include "model/test_scene.h"
#include "model/transient.h"
#include "solve/direct.h"
#include "solve/symbolic.h"

namespace trammel::model::topology_test {
namespace {

TEST(Topology, IsSharedByVariantsOfAModel) {
  const Built built = std::get<Built>(test::Scene{}.build());
  Params heavier = built.params;
  heavier.values.at(static_cast<std::size_t>(built.model->find_param("body.crank.mass"))) *= 2;
  const Kinematics a(*built.model, built.params), b(*built.model, heavier);
  EXPECT_EQ(&a.graph(), &b.graph());
  EXPECT_NE(a.total_mass(), b.total_mass());
}

TEST(Topology, IsSharedByModelsBuiltAsVariants) {
  test::Scene scene;
  const Built first = std::get<Built>(scene.build());
  scene.options.variant_of = first.model;
  const Built same = std::get<Built>(scene.build());
  EXPECT_EQ(same.model->topology, first.model->topology);
  scene.more_bodies.push_back(scene.crank);
  scene.more_bodies.back().name = "one more";
  const Built more = std::get<Built>(scene.build());
  EXPECT_NE(more.model->topology, first.model->topology);
}

TEST(Topology, IsNotThatOfAnotherModel) {
  const Built built = std::get<Built>(test::Scene{}.build());
  Model other = *built.model;
  EXPECT_TRUE(other.topology->fits(other));
  other.rows.pop_back();
  EXPECT_FALSE(other.topology->fits(other));
  Model live = *built.model;
  extend(*built.model, built.state, live);
  EXPECT_EQ(live.topology, nullptr);  // joints may lie on other bodies now
}

TEST(Analyses, OneForAllSolversOfTheSameOptions) {
  const Built built = std::get<Built>(test::Scene{}.build());
  const solve::Graph& graph = built.model->topology->graph;
  const auto first = graph.analyses->of(graph, 24, 1e5, true);
  EXPECT_EQ(graph.analyses->of(graph, 24, 1e5, true), first);
  EXPECT_NE(graph.analyses->of(graph, 24, 1e5, false), first);
  EXPECT_NE(graph.analyses->of(graph, 2, 1e5, true), first);
  solve::Graph longer = graph;
  longer.add_block(6, solve::MassForm::split);
  EXPECT_EQ(longer.analyses, nullptr);  // of another graph
}

}  // namespace
}  // namespace trammel::model::topology_test
