#pragma once

#include <cstddef>
#include <new>

#include "math/brief.h"
#include "math/types.h"

namespace trammel::brief {

/// As trammel::VecX, to the bit, in memory that the thread keeps.
class VecX : public Eigen::Map<trammel::VecX, Eigen::AlignedMax> {
  using Base = Eigen::Map<trammel::VecX, Eigen::AlignedMax>;

 public:
  VecX() : Base(nullptr, 0) {}
  explicit VecX(Eigen::Index n) : VecX() { resize(n); }
  VecX(const VecX& other) : VecX() { *this = other; }
  template <class D>
  VecX(const Eigen::MatrixBase<D>& x) : VecX() {
    *this = x;
  }
  VecX& operator=(const VecX& other) {
    resize(other.size());
    Base::operator=(other);
    return *this;
  }
  template <class D>
  VecX& operator=(const Eigen::MatrixBase<D>& x) {
    if (x.size() != size()) resize(x.size());
    Base::operator=(x);
    return *this;
  }

  /// Numbers up to the lesser size stay.
  void resize(Eigen::Index n) {
    constexpr Eigen::Index kLine = sizeof(Line) / sizeof(double);
    lines_.resize(static_cast<std::size_t>((n + kLine - 1) / kLine));
    new (static_cast<Base*>(this)) Base(n > 0 ? lines_.front().x : nullptr, n);
  }
  void swap(VecX& other) {
    const Eigen::Index n = size();
    lines_.swap(other.lines_);
    const Eigen::Index m = other.size();
    resize(m);
    other.resize(n);
  }

 private:
  struct alignas(64) Line {
    double x[8];
  };
  vector<Line> lines_;
};

}  // namespace trammel::brief
