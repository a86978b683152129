#include "serve/admission.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <system_error>

namespace trammel::serve {

namespace {

std::string small(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_here(const std::string& host, unsigned short port) {
  return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
}

/// Without telling by its time how far they agree.
bool same(std::string_view a, std::string_view b) {
  unsigned char off = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    off |= static_cast<unsigned char>(a[i] ^ b[i]);
  return off == 0;
}

/// True where one of the parameters, a=b&c=d, is the token.
bool knows(std::string_view query, std::string_view token) {
  constexpr std::string_view kName = "token=";
  while (true) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view one = query.substr(0, end);
    if (one.starts_with(kName)) return same(one.substr(kName.size()), token);
    if (end == query.size()) return false;
    query.remove_prefix(end + 1);
  }
}

}  // namespace

Verdict judge(const Request& r, const Gate& gate) {
  if (r.ambiguous) return {400, "a request has one Host and at most one Origin header"};
  const std::string host = small(r.host), origin = small(r.origin);
  if (!is_here(host, gate.port))
    return {403, fmt::format("this is 127.0.0.1:{}, under no other name; forward the same port",
                             gate.port)};
  constexpr std::string_view kScheme = "http://";
  if (!origin.empty() &&
      !(origin.starts_with(kScheme) && is_here(origin.substr(kScheme.size()), gate.port)))
    return {403, "pages of other origins are not answered"};
  if (r.method != "GET") return {405, "GET is all there is"};
  const std::size_t mark = std::min(r.target.find('?'), r.target.size());
  const std::string_view path = std::string_view(r.target).substr(0, mark);
  if (path != "/" && path != gate.socket) return {404, "there is nothing of that name"};
  if (!knows(std::string_view(r.target).substr(std::min(mark + 1, r.target.size())), gate.token))
    return {403, "the address lacks the token that the program printed"};
  if (path == "/") return {200};
  return r.upgrade ? Verdict{101} : Verdict{426, "this is a WebSocket"};
}

std::string make_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::system_error(errno, std::generic_category(), "getrandom");
  std::string out;
  for (const unsigned char b : bytes) out += fmt::format("{:02x}", b);
  return out;
}

}  // namespace trammel::serve
