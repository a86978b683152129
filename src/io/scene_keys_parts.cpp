// The whole file, parts of it, and what is there several times.
#include "io/scene_forms.h"

namespace trammel::io {

using namespace forms;
using namespace units;

namespace {

/// What a scene, a part or a repetition is made of. Part and repetition are in one another.
std::vector<Key> contents(const Family& part, const Family& repeat) {
  std::vector<Key> out{
      {"parameters", map(parameter()), "", "names for numbers, in every number and formula"},
      {"data", tables(data_family()), "", ""},
      {"defaults", of_kind(Form::Kind::partial), "",
       "keys that elements have which do not say otherwise: [defaults.body], or of one kind, "
       "[defaults.law.spring]"},
      {"track", tables(track_family()), "", ""},
      {"body", tables(body_family()), "", ""},
      {"system", tables(system_family()), "", ""},
      {"joint", tables(joint_family()), "", ""},
      {"coupling", tables(coupling_family()), "", ""},
      {"law", tables(law_family()), "", ""},
      {"bushing", tables(bushing_family()), "", ""},
      {"load", tables(load_family()), "", ""},
      {"material", tables(material_family()), "", ""},
      {"contact", tables(contact_family()), "", ""},
      {"obstacle", tables(obstacle_family()), "", ""},
      {"no_contact", tables(pair_family(false)), "", ""},
      {"contact_pair", tables(pair_family(true)), "", ""},
      {"scenery", tables(scenery_family()), "", ""},
      {"input", tables(input_family()), "", ""},
      {"probe", tables(probe_family()), "", ""},
      {"sensor", tables(sensor_family()), "", ""},
      {"controller", tables(controller_family()), "", ""},
      {"plot", tables(plot_family()), "", ""},
      {"part", tables(part), "", ""},
      {"repeat", tables(repeat), "", ""},
  };
  for (Key& key : out) key.content = true;
  return out;
}

std::vector<Key> pose() {
  return {{"position", vector(kLength), "[0, 0, 0]", "of its axes in those around it"},
          {"orientation", table(orientation_family()), "", "of its axes, likewise"},
          {"orientation", list(quantity(kRatio), {4}), "", "or as a unit quaternion w, x, y, z"}};
}

std::vector<Key> part_keys() {
  return joined({name_key("part"),
                 {"file", name_of(Refers::words), "",
                  "a scene whose elements it has, from the folder of this one; what a run needs "
                  "there is left out"},
                 {"like", name_of(Refers::words), "",
                  "the part beside it whose elements it has, with that one's ground, parameters, "
                  "data and defaults but for those that it gives itself"},
                 {"ground", name_of(Refers::words), "", "the body that is ground in it"}},
                pose());
}

Family circle() {
  return {"repeat.circle",
          "Turns of a repetition about an axis, one after the other.",
          {{"",
            "",
            {{"axis", direction(), kNeeded, ""},
             {"center", vector(kLength), "[0, 0, 0]", "a point on the axis"},
             {"step", quantity(kAngle), "", "from one to the next; else they go once around"}},
            {}}}};
}

const Family& circle_family() {
  static const Family f = circle();
  return f;
}

std::vector<Key> repeat_keys() {
  return {{"count", quantity(kRatio), "", "how many times, a whole number"},
          {"over", map(of_kind(Form::Kind::items)), "",
           "lists of one length, once for each: {side = [\"left\", \"right\"], y = [\"1 m\", \"-1 "
           "m\"]}"},
          {"index", text(), "i", "the name of the number that counts"},
          {"first", quantity(kRatio), "0", "of these numbers"}};
}

/// Where a turn of a repetition is; its parameters may say so.
std::vector<Key> turn_keys() {
  std::vector<Key> out = pose();
  out.push_back({"circle", table(circle_family()), "", "instead, around an axis"});
  for (Key& key : out) key.content = true;
  return out;
}

/// They refer to each other, so their addresses are there before their keys.
struct Nested {
  Family scene, part, repeat;
  Nested() {
    const std::vector<Key> all = contents(part, repeat);
    scene = {"scene",
             "The whole file.",
             {{"",
               "",
               joined({{"format", integer({"1"}), kNeeded, "version of this format"},
                       {"name", literal(text()), "scene", "of the scene"},
                       {"title", literal(text()), "", "for reports and pictures"},
                       {"simulation", table(simulation_family()), "", ""},
                       {"files", literal(map(literal(text()))), "",
                        "texts of the files of parts, as results keep them; else they are read"}},
                      all),
               {}}}};
    part = {"part",
            "Elements under a name, here or from a file, where and with which parameters is said "
            "once for all.",
            {{"", "", joined(part_keys(), all), {at_most_one({"file", "like"})}}},
            true};
    repeat = {"repeat",
              "Elements that are there several times; {i} in names is the number.",
              {{"",
                "",
                joined(joined(repeat_keys(), all), turn_keys()),
                {one({"count", "over"}), at_most_one({"position", "circle"}),
                 at_most_one({"orientation", "circle"})}}},
              true};
  }
};

const Nested& nested() {
  static const Nested all;
  return all;
}

}  // namespace

bool is_elements(const Key& key) {
  return key.form.kind == Form::Kind::list && key.form.each[0].family &&
         key.form.each[0].family->element && key.name != "data";
}

const Family& scene_family() { return nested().scene; }
const Family& part_family() { return nested().part; }
const Family& repeat_family() { return nested().repeat; }

}  // namespace trammel::io
