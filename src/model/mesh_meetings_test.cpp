#include <gtest/gtest.h>

#include "contact/mesh_hulls.h"
#include "contact/test_ring.h"
#include "contact/test_solids.h"
#include "contact/trimesh.h"
#include "model/builder.h"

namespace trammel::model::mesh_meetings_test {
namespace {

std::shared_ptr<const body::Mesh> shared(body::Mesh mesh) {
  return std::make_shared<const body::Mesh>(std::move(mesh));
}
std::shared_ptr<const body::Mesh> ell() {
  return shared(contact::test::prism({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, 1));
}
std::shared_ptr<const body::Mesh> ring(int around, int across) {
  return shared(contact::test::ring_mesh(1, 0.25, around, across));
}

ContactSpec shape(const std::shared_ptr<const body::Mesh>& mesh, double accuracy = kHullAccuracy) {
  ContactSpec s;
  s.kind = ContactSpec::Kind::mesh;
  s.mesh = mesh;
  s.accuracy = accuracy;
  return s;
}

BodySpec body_of(const std::string& name, const ContactSpec& contact) {
  BodySpec b;
  b.name = name;
  b.mass = 1;
  b.inertia = {1, 1, 1, 0, 0, 0};
  b.contacts = {contact};
  return b;
}

std::string told(const Builder& b) {
  auto out = b.build();
  std::string all;
  if (auto* problems = std::get_if<std::vector<Problem>>(&out))
    for (const Problem& p : *problems) all += p.path + ": " + p.text;
  return all;
}

std::vector<const contact::Trimesh*> meshes(const Builder& b) {
  EXPECT_EQ(told(b), "");
  auto out = b.build();
  std::vector<const contact::Trimesh*> all;
  static std::vector<Built> kept;
  kept.push_back(std::get<Built>(std::move(out)));
  for (const ContactShape& s : kept.back().model->contacts.shapes)
    all.push_back(s.shape.mesh.get());
  return all;
}

TEST(MeshMeetings, AlikeMeshesShareTheirHulls) {
  Builder b;
  b.add_body(body_of("a", shape(ell())));
  b.add_body(body_of("b", shape(ell())));
  b.add_body(body_of("c", shape(ell(), 0.02)));
  const auto all = meshes(b);
  ASSERT_TRUE(all[0]->hulls);
  EXPECT_EQ(all[0]->hulls->parts.size(), 2u);
  EXPECT_EQ(all[0], all[1]);
  EXPECT_NE(all[0], all[2]);
}

TEST(MeshMeetings, WhatMeetsNoMeshHasNoHulls) {
  Builder b;
  b.add_body(body_of("a", shape(ell())));
  EXPECT_FALSE(meshes(b)[0]->hulls);
  b.add_body(body_of("b", shape(ell())));
  b.add_no_contact({{"a", "b"}});
  EXPECT_FALSE(meshes(b)[0]->hulls);
}

TEST(MeshMeetings, ALargeMeshThatStandsKeepsItsTriangles) {
  for (const int around : {12, 64}) {
    Builder b;
    b.add_obstacle(shape(ring(around, 8)));
    b.add_body(body_of("a", shape(ell())));
    const auto all = meshes(b);
    EXPECT_EQ(all[0]->hulls != nullptr, around == 12);
    EXPECT_TRUE(all[1]->hulls);
  }
}

TEST(MeshMeetings, TheAccuracyIsThatOfTheShape) {
  Builder b;
  b.add_body(body_of("a", shape(ring(12, 8), 0.05)));
  b.add_body(body_of("b", shape(ring(12, 8), 0.01)));
  const auto all = meshes(b);
  EXPECT_LT(all[0]->hulls->parts.size(), all[1]->hulls->parts.size());
  EXPECT_NEAR(all[0]->hulls->error, 5 * all[1]->hulls->error, 1e-12);
}

TEST(MeshMeetings, AccuraciesOutOfBoundsAreRefused) {
  for (const double accuracy : {0., 1e-4, 0.6, std::numeric_limits<double>::quiet_NaN()}) {
    Builder b;
    b.add_body(body_of("a", shape(ell(), accuracy)));
    EXPECT_NE(told(b).find("is not between 0.001 and 0.5 of its size"), std::string::npos);
  }
}

}  // namespace
}  // namespace trammel::model::mesh_meetings_test
