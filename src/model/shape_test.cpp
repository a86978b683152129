#include "model/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "body/mesh.h"
#include "model/builder.h"

namespace trammel::model::shape_test {
namespace {

TEST(Colors, AreNamesOrHexadecimal) {
  for (const NamedColor& c : named_colors()) {
    EXPECT_EQ(hex_of(c.name), c.hex);
    EXPECT_EQ(hex_of(c.hex), c.hex);
    EXPECT_EQ(wrong_color(c.name), "");
  }
  EXPECT_EQ(hex_of("#ABCDEF"), "#abcdef");
  for (const char* wrong : {"", "Orange", "#12345", "#1234567", "#12345g", "123456"})
    EXPECT_EQ(hex_of(wrong), "") << wrong;
  EXPECT_NE(wrong_color("organge").find("did you mean 'orange'"), std::string::npos);
}

TEST(Shapes, OfProgramsAreCheckedAllAtOnce) {
  Builder builder;
  BodySpec bob;
  bob.name = "bob";
  bob.mass = 1;
  bob.solid = Solid{Solid::Kind::sphere, {1, 0, 0}};
  bob.color = "reed";
  bob.shapes.resize(2);
  bob.shapes[0].solid = {Solid::Kind::box, {1, 0, 1}};
  bob.shapes[1].solid = {Solid::Kind::box, {1, 1, 1}};
  bob.shapes[1].X_BS.p.x() = NAN;
  builder.add_body(bob);
  const body::Mesh none{{{0, 0, 0}}, {{0, 1, 2}}};
  Shape open;
  open.mesh = std::make_shared<const body::Mesh>(none);
  builder.add_scenery(open);
  const auto built = builder.build();
  const auto* problems = std::get_if<std::vector<Problem>>(&built);
  ASSERT_TRUE(problems);
  std::vector<std::string> paths;
  for (const Problem& p : *problems) paths.push_back(p.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"body.bob.color", "body.bob.shape[0].box",
                                             "body.bob.shape[1].position", "scenery[0]"}));
}

}  // namespace
}  // namespace trammel::model::shape_test
