#pragma once

#include <string>
#include <string_view>

namespace trammel::serve {

/// What of a request decides whether it is answered.
struct Request {
  std::string method, target;  // as they came
  std::string host, origin;    // headers; empty: there is none
  bool ambiguous = false;      // two Host or two Origin headers: which one holds is anybody's guess
  bool upgrade = false;        // to a WebSocket
};

/// What requests are held against.
struct Gate {
  unsigned short port = 0;
  std::string token, socket;  // socket: path of the WebSocket
};

/// An HTTP status and, unless it is 200 (the page) or 101 (the socket), the reason as a line.
struct Verdict {
  unsigned status = 200;
  std::string reason = {};
};

/// Pages of other hosts and other programs of this one reach nothing: a name that leads here by
/// trick (DNS rebinding) is not that of this host, a foreign page names itself as origin, and
/// neither knows the token.
Verdict judge(const Request& request, const Gate& gate);

/// 128 bits from the system, in hexadecimal digits.
std::string make_token();

}  // namespace trammel::serve
