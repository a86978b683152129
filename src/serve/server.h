#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>  // std::exchange, which Boost 1.74 forgets

/// One page served on 127.0.0.1 and a WebSocket for it, to whoever has the token in the address.
namespace trammel::serve {

/// The number of a page that is connected, from 1 on, never the same twice.
using PageId = std::uint64_t;
using Bytes = std::shared_ptr<const std::string>;
inline Bytes bytes(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

/// A port cannot be had: which, and the system's reason.
struct ServeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  /// The page by the address of its socket, "/live?token=T"; once.
  std::function<std::string(std::string_view socket)> page;
  std::string socket = "/live";
  unsigned short port = 0;  // 0: any that is free
  // of a message [bytes]; longer ones close the connection (1009), and those of a kind with 0
  // (1003)
  std::size_t most_text = 4096, most_binary = 0;
  std::size_t most_waiting = 256u << 20;  // for a page that does not take it: it is cut off
  std::size_t most_connections = 64;      // of pages that have shown the token; more get status 503
  // Connections that have not shown the token: when more of them are open, the oldest is closed;
  // when more come a second (beyond a burst of as many as may be open), they wait.
  std::size_t most_strangers = 64;
  double strangers_per_second = 500;
};

/// What happens, on the thread of the server. They do not throw.
struct Handlers {
  std::function<void(PageId)> opened = {}, closed = {};
  std::function<void(PageId, std::string_view)> text = {}, binary = {};
};

/// Serves from the constructor to the destructor on a thread of its own.
class Server {
 public:
  /// Throws ServeError.
  Server(Options options, Handlers handlers);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// http://127.0.0.1:PORT/?token=T
  const std::string& address() const;
  unsigned short port() const;
  /// Calls f on the thread of the server, after all that was posted before.
  void post(std::function<void()> f);
  /// Waits until pages have taken what was sent to them, but not longer [s].
  void drain(double seconds);
  /// What the thread of the server has used of a processor so far [s].
  double cpu() const;

  // on the thread of the server only
  void send_text(PageId page, Bytes message);
  void send_binary(PageId page, Bytes message);
  /// Bytes sent to a page that it has not taken yet.
  std::size_t waiting(PageId page) const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace trammel::serve
