#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "constraint/contact/step.h"
#include "model/model.h"
#include "model/quantity.h"

/// What results have of contact: totals, forces by pairs and by bodies, impulses, and points.
namespace trammel::constraint {

/// Of the frame at hand.
struct ContactFrame {
  std::vector<ContactForce> points;       // that push
  ContactReport report = {};              // of the last step
  std::span<const double> impulses = {};  // wrench impulses, see model/reactions.h
};

class ContactRecord {
 public:
  ContactFrame now;

  static constexpr std::string_view kPairs = "/contacts/force", kBodies = "/contacts/body";

  /// Nothing where nothing can touch.
  explicit ContactRecord(const model::Model& model);
  const std::vector<model::Quantity>& quantities() const { return quantities_; }
  std::vector<model::Listing> lists() const;
  /// Appends the numbers of a quantity, and the rows of the list.
  void fill(std::size_t quantity, std::vector<double>& out);
  void fill_rows(std::vector<double>& out) const;

  /// True where pairs have channels: they are few.
  bool by_pairs() const { return !pairs_.empty(); }
  /// Adds impulses to those of the items of kPairs, or else of kBodies, and marks those that have
  /// met.
  void add(const std::vector<ContactImpulse>& impulses, std::vector<Vec3>& sum,
           std::vector<unsigned char>* met) const;

 private:
  using Fill = void (ContactRecord::*)(std::vector<double>&);
  void add_pairs();
  void add_bodies();
  void add_impulses();
  void state(std::vector<double>& out);
  void pair_forces(std::vector<double>& out);
  void body_forces(std::vector<double>& out);
  void body_impulses(std::vector<double>& out);
  int pair_of(int a, int b) const;
  int body_of(int object) const;

  const model::Model* model_;
  std::vector<model::Quantity> quantities_;
  std::vector<Fill> fills_;
  std::vector<std::array<int, 2>> pairs_;  // objects of kPairs, the one pushed first
  std::vector<int> bodies_;                // objects of kBodies
  std::vector<Vec3> on_object_;            // scratch: force of contacts on each
};

/// Shapes that touch, in their order, by which points of contact name them.
model::Constants touching_shapes(const model::Model& model);

}  // namespace trammel::constraint
