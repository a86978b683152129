#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

/// A browser of few words, for tests: it can also say what browsers do not.
namespace trammel::serve {

/// The parts of http://127.0.0.1:PORT/?token=T.
struct Address {
  int port = 0;
  std::string token;
  explicit Address(const std::string& text) {
    const std::size_t colon = text.rfind(':'), slash = text.find('/', colon),
                      equals = text.find('=', slash);
    if (equals == std::string::npos) throw std::runtime_error("no address: " + text);
    port = std::atoi(text.c_str() + colon + 1);
    token = text.substr(equals + 1, text.find_first_of(" \r\n", equals) - equals - 1);
  }
  std::string host() const { return fmt::format("127.0.0.1:{}", port); }
};

/// A connection to the server.
class Wire {
 public:
  explicit Wire(int port) : id_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(id_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
      throw std::runtime_error(fmt::format("port {} does not answer", port));
    const int on = 1;
    ::setsockopt(id_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  ~Wire() { close(); }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  void close() {
    if (id_ >= 0) ::close(id_);
    id_ = -1;
  }
  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(id_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return;  // the server has hung up, which reading tells
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  /// n bytes, fewer where the server hangs up or is silent for so long [s].
  std::string read(std::size_t n, double seconds = 10) {
    while (kept_.size() < n && more(seconds)) continue;
    std::string out = kept_.substr(0, n);
    kept_.erase(0, out.size());
    return out;
  }
  std::string read_past(std::string_view mark, double seconds = 10) {
    std::size_t at;
    while ((at = kept_.find(mark)) == std::string::npos)
      if (!more(seconds)) return read(kept_.size());
    return read(at + mark.size());
  }
  bool has(std::size_t n, double seconds) {
    while (kept_.size() < n)
      if (!more(seconds)) return false;
    return true;
  }

 private:
  bool more(double seconds) {
    pollfd one{id_, POLLIN, 0};
    if (::poll(&one, 1, static_cast<int>(1e3 * seconds)) <= 0) return false;
    char part[1 << 16];
    const ssize_t n = ::recv(id_, part, sizeof part, 0);
    if (n <= 0) return false;
    kept_.append(part, static_cast<std::size_t>(n));
    return true;
  }
  int id_;
  std::string kept_;
};

/// The status of the answer to a request with these lines, and its body.
struct Answer {
  int status = 0;
  std::string head, body;
};
inline Answer ask(int port, const std::string& request) {
  Wire wire(port);
  wire.send(request);
  Answer out;
  out.head = wire.read_past("\r\n\r\n");
  if (out.head.size() > 12) out.status = std::atoi(out.head.c_str() + 9);
  const std::size_t length = out.head.find("Content-Length: ");
  if (length != std::string::npos)
    out.body = wire.read(static_cast<std::size_t>(std::atol(out.head.c_str() + length + 16)));
  return out;
}
inline Answer get(const Address& to, const std::string& target, const std::string& more = "") {
  return ask(to.port,
             fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n{}\r\n", target, to.host(), more));
}

/// A page's end of the WebSocket.
class Browser {
 public:
  struct Message {
    int kind = 0;  // 1 text, 2 binary, 8 the end; 0: nothing came
    std::string data;
    int code() const {  // of the end
      return data.size() < 2
                 ? 0
                 : static_cast<unsigned char>(data[0]) * 256 + static_cast<unsigned char>(data[1]);
    }
  };

  explicit Browser(const Address& to, const std::string& origin = "") : wire_(to.port) {
    wire_.send(fmt::format(
        "GET /live?token={} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{}\r\n",
        to.token, to.host(), origin.empty() ? "" : "Origin: " + origin + "\r\n"));
    const std::string head = wire_.read_past("\r\n\r\n");
    if (head.size() > 12) status = std::atoi(head.c_str() + 9);
  }
  void text(std::string_view data) { frame(0x81, data); }
  void binary(std::string_view data) { frame(0x82, data); }
  /// Goes without a word, as a page does that is killed.
  void kill() { wire_.close(); }

  Message next(double seconds = 10) {
    while (wire_.has(2, seconds)) {
      const std::string head = wire_.read(2);
      const int kind = head[0] & 15;
      std::uint64_t size = static_cast<unsigned char>(head[1]) & 127;
      if (size >= 126) {
        const std::string more = wire_.read(size == 126 ? 2 : 8);
        size = 0;
        for (const char c : more) size = size << 8 | static_cast<unsigned char>(c);
      }
      Message out{kind, wire_.read(size)};
      if (kind == 9) continue;  // a ping, which may stay without an answer for a minute
      return out;
    }
    return {};
  }
  /// The next text with these words in it; empty: there is none.
  std::string until(std::string_view words, double seconds = 10) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end) {
      const Message m = next(seconds);
      if (m.kind == 0 || m.kind == 8) return {};
      if (m.kind == 1 && m.data.find(words) != std::string::npos) return m.data;
    }
    return {};
  }

  int status = 0;

 private:
  void frame(int first, std::string_view data) {
    std::string out(1, static_cast<char>(first));
    if (data.size() < 126) {
      out += static_cast<char>(0x80 | data.size());
    } else {
      const bool small = data.size() < 65536;
      out += static_cast<char>(0x80 | (small ? 126 : 127));
      for (int shift = small ? 8 : 56; shift >= 0; shift -= 8)
        out += static_cast<char>(static_cast<std::uint64_t>(data.size()) >> shift & 255);
    }
    out.append(4, '\0');  // a mask that changes nothing
    out += data;
    wire_.send(out);
  }
  Wire wire_;
};

}  // namespace trammel::serve
