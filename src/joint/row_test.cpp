#include "joint/row.h"

#include <gtest/gtest.h>

#include "joint/table.h"
#include "joint/test_states.h"

namespace trammel::joint::row_test {
namespace {

TEST(RowText, EveryProductGoesThroughTextUnchanged) {
  for (const auto u : kFeatureNames)
    for (const auto v : kFeatureNames) {
      const std::string text = std::string(u) + "." + std::string(v);
      const auto row = parse_row(text);
      ASSERT_TRUE(row) << text;
      EXPECT_EQ(to_text(*row), text);
      for (const std::string& term :
           {std::string(u) + "-" + std::string(v), std::string(u) + " x " + std::string(v),
            std::string(u), text}) {
        ASSERT_TRUE(parse_term(term)) << term;
        EXPECT_EQ(to_text(*parse_term(term)), term);
      }
    }
}

TEST(RowText, EveryRowAndTermOfTheTableGoesThroughTextUnchanged) {
  for (const Table& table : test::all_tables()) {
    for (const Coordinate& c : test::all_rows(table)) {
      const auto again = parse_coordinate(c.name + (c.sign < 0 ? " = -" : " = ") + to_text(c.row));
      ASSERT_TRUE(again) << c.name;
      EXPECT_EQ(again->name, c.name);
      EXPECT_EQ(again->sign, c.sign);
      EXPECT_EQ(to_text(again->row), to_text(c.row));
      EXPECT_EQ(again->row.features(), c.row.features());
    }
    for (const Term& term : table.terms)
      EXPECT_EQ(to_text(*parse_term(to_text(term))), to_text(term));
  }
}

TEST(RowText, ShapesAreOfTwoAxesOfOneBody) {
  for (const char* text : {"strain(Ax, Ay)", "stretch(Bz, By)", "stretch(Ax, Ax)"}) {
    ASSERT_TRUE(parse_row(text)) << text;
    EXPECT_EQ(to_text(*parse_row(text)), text);
    EXPECT_TRUE(parse_row(text)->shape());
    EXPECT_FALSE(parse_row(text)->constant());
  }
  EXPECT_EQ(parse_row("stretch(Bz, By)")->features(), 7u << 3);  // all three axes
  for (const char* text : {"stretch(Ax, By)", "stretch(Ax)", "stretch(Ax, D)", "strain(Ax.Ay)"})
    EXPECT_FALSE(parse_row(text)) << text;
}

TEST(RowText, SpacesDoNotMatter) {
  EXPECT_EQ(to_text(*parse_row("  Ax . D ")), "Ax.D");
  EXPECT_EQ(to_text(*parse_row("atan2( Az.By ,Ay.By )")), "atan2(Az.By, Ay.By)");
  EXPECT_EQ(to_text(*parse_row("sqrt (D.D)")), "sqrt(D.D)");
  const auto c = parse_coordinate("  yaw=  -Cx.By");
  ASSERT_TRUE(c);
  EXPECT_EQ(c->name, "yaw");
  EXPECT_EQ(c->sign, -1);
}

TEST(RowText, WhatIsNoRowIsRefused) {
  for (const char* text : {"",
                           ".",
                           "Ax",
                           "Ax.",
                           ".D",
                           "Ax.F",
                           "ax.D",
                           "AxD",
                           "Ax.D.D",
                           "Ax.D Ay.D",
                           "2 Ax.D",
                           "-Ax.D",
                           "Ax.D + Ay.D",
                           "sqrt(Ax.D)",
                           "sqrt(Ax.Ax)",
                           "sqrt(D.E)",
                           "sqrt D.D",
                           "sqrt(D.D",
                           "sqrt(D)",
                           "sqrt()",
                           "atan2(Az.By)",
                           "atan2(,)",
                           "atan2(Az.By; Ay.By)",
                           "atan2(Az.By, Ay.By, Ax.By)",
                           "atan(Az.By, Ay.By)",
                           "S",
                           "s.s",
                           "D x Ax",
                           "Ax-Bx"})
    EXPECT_FALSE(parse_row(text)) << text;
  for (const char* text : {"", "F", "Ax-", "Ax x", "D X Ax", "DxAx", "Ax+Bx"})
    EXPECT_FALSE(parse_term(text)) << text;
  for (const char* text : {"", "=", "= Ax.D", "a = ", "a = -", "a = --Ax.D", "a == Ax.D", "-Ax.D"})
    EXPECT_FALSE(parse_coordinate(text)) << text;
}

TEST(RowText, UnitsFollowFromTheFeatures) {
  const auto unit = [](const char* text) { return symbol(parse_row(text)->unit()); };
  EXPECT_EQ(unit("Ax.By"), "1");
  EXPECT_EQ(unit("Ax.D"), "m");
  EXPECT_EQ(unit("Cx.E"), "m");
  EXPECT_EQ(unit("D.E"), "m^2");
  EXPECT_EQ(unit("sqrt(D.D)"), "m");
  EXPECT_EQ(unit("s"), "m");
  EXPECT_EQ(unit("atan2(Az.By, Ay.By)"), "rad");
}

TEST(RowText, OneRowMayBeWrittenTwoWays) {
  const auto one = [](const char* a, const char* b) { return same(*parse_row(a), *parse_row(b)); };
  EXPECT_TRUE(one("Ax.D", "Ax.D"));
  EXPECT_TRUE(one("Ax.D", "D.Ax"));
  EXPECT_TRUE(one("atan2(Az.By, Ay.By)", "atan2(By.Az, By.Ay)"));
  EXPECT_TRUE(one("s", "s"));
  EXPECT_FALSE(one("Ax.D", "Ay.D"));
  EXPECT_FALSE(one("Ax.By", "Bx.Ay"));
  EXPECT_FALSE(one("atan2(Az.By, Ay.By)", "atan2(Ay.By, Az.By)"));
  EXPECT_FALSE(one("sqrt(D.D)", "D.D"));
}

TEST(RowText, WhatNeverChangesIsKnown) {
  const auto constant = [](const char* text) { return parse_row(text)->constant(); };
  for (const char* text : {"Ax.Ay", "Bz.Bz", "Cx.Cz", "Cx.E", "E.Cx", "atan2(Ax.Ay, Ax.Ax)"})
    EXPECT_TRUE(constant(text)) << text;
  for (const char* text : {"Ax.By", "Ax.D", "D.D", "D.E", "Ax.Cy", "Cy.E", "Cx.D", "s", "sqrt(D.D)",
                           "atan2(Ax.Ay, Ax.By)"})
    EXPECT_FALSE(constant(text)) << text;
}

TEST(Tables, AreDistinctAndFoundByName) {
  for (const Table& table : tables()) {
    EXPECT_EQ(find_table(table.name), &table) << "two tables of one name";
    EXPECT_LE(table.rows.size(), 6u);
    EXPECT_EQ(table.rows.empty(), table.terms.empty()) << table.name;
    EXPECT_TRUE(!table.rows.empty() || !table.coordinates.empty());
    for (const Coordinate& c : table.coordinates) {
      EXPECT_EQ(table.coordinate(c.name), &c) << "two coordinates of one name";
      EXPECT_NE(c.row.unit(), Unit::square_metre);
    }
    EXPECT_EQ(table.on_curve, table.name.find("track") != std::string::npos);
  }
  EXPECT_EQ(find_table("revolut"), nullptr);
  EXPECT_EQ(find_table("revolute")->coordinate("travel"), nullptr);
}

TEST(Tables, RowsOfAJointAreNamedAsTheyReadUnlessToldOtherwise) {
  const auto made = make_table("mine", std::vector<std::string>{"Ax.D", "up = Az.D"}, {}, {});
  EXPECT_TRUE(made.problems.empty());
  EXPECT_EQ(made.table.rows[0].name, "Ax.D");
  EXPECT_EQ(made.table.rows[1].name, "up");
}

TEST(Tables, EverythingWrongIsSaidAtOnce) {
  const std::vector<std::string> rows{"Ax.D",  "Ax.F",  "Ay.D",  "Az.D",
                                      "Ax.By", "Ax.Bz", "Ay.Bz", "s"};
  const std::vector<std::string> terms{"D", "D*D"}, coordinates{"travel: Ax.D"};
  const auto made = make_table("mine", rows, terms, coordinates);
  ASSERT_EQ(made.problems.size(), 4u);
  EXPECT_NE(made.problems[0].find("'Ax.F' is not a row"), std::string::npos);
  EXPECT_NE(made.problems[1].find("at most 6 rows"), std::string::npos);
  EXPECT_NE(made.problems[2].find("'D*D' is not a closure residual"), std::string::npos);
  EXPECT_NE(made.problems[3].find("'travel: Ax.D' is not a coordinate"), std::string::npos);
  EXPECT_TRUE(made.table.on_curve);
}

TEST(Tables, RowsThatHoldNothingAndNamesTwiceAreRefused) {
  const auto problem = [](const std::vector<std::string>& rows,
                          const std::vector<std::string>& coordinates) {
    const auto made = make_table("mine", rows, {}, coordinates);
    return made.problems.size() == 1 ? made.problems[0] : "no single problem";
  };
  EXPECT_EQ(problem({"Ax.Ay"}, {}), "row 'Ax.Ay' holds nothing: Ax.Ay never changes");
  EXPECT_EQ(problem({"far = D.D"}, {}), "row 'far' is in m^2: a distance is sqrt(D.D)");
  EXPECT_EQ(problem({"a = Ax.D", "a = Ay.D"}, {}), "two are called 'a'");
  EXPECT_EQ(problem({}, {"a = Ax.D", "a = Ay.D"}), "two are called 'a'");
  EXPECT_TRUE(make_table("mine", std::vector<std::string>{"a = Ax.D"}, {},
                         std::vector<std::string>{"a = Ay.D", "far = D.D"})
                  .problems.empty());
}

}  // namespace
}  // namespace trammel::joint::row_test
