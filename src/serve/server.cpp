#include "serve/server.h"

// The only file with Beast in it: it takes long to compile.
#include <fmt/format.h>
#include <pthread.h>
#include <time.h>

#include <boost/asio.hpp>
#include <boost/beast.hpp>
#include <chrono>
#include <deque>
#include <future>
#include <list>
#include <map>
#include <optional>
#include <thread>

#include "serve/admission.h"
#include "serve/rate_limit.h"

namespace trammel::serve {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using beast::error_code;

constexpr auto kHttpTimeout = std::chrono::seconds(10);
constexpr auto kIdle = std::chrono::seconds(60);           // asked by a ping after half of it
constexpr double kAfterError = 0.05;                       // [s], as when there are no descriptors
constexpr std::size_t kMostHead = 8192, kMostBody = 4096;  // of a request [bytes]

class Connection;
class Socket;

/// What connections share; all of it is the thread's of the server.
struct Hall {
  Options options;
  Handlers handlers;
  Gate gate;
  Bytes page;
  std::map<PageId, std::shared_ptr<Socket>> pages = {};
  PageId last = 0;
  std::size_t guests = 0;                 // connections that have shown the token
  std::list<Connection*> strangers = {};  // those that have not, the oldest first
  RateLimit rate{options.strangers_per_second, static_cast<double>(options.most_strangers),
                 RateLimit::Clock::now()};
};

/// Counts a connection that has shown the token while it lives.
class Guest {
 public:
  explicit Guest(Hall& hall) : hall_(hall) { ++hall_.guests; }
  ~Guest() { --hall_.guests; }
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

 private:
  Hall& hall_;
};

/// A page's WebSocket.
class Socket : public std::enable_shared_from_this<Socket> {
 public:
  Socket(Hall& hall, tcp::socket socket) : hall_(hall), guest_(hall), stream_(std::move(socket)) {}

  void accept(const http::request<http::string_body>& request) {
    const Options& o = hall_.options;
    stream_.set_option(websocket::stream_base::timeout{kHttpTimeout, kIdle, true});
    stream_.read_message_max(std::max(o.most_text, o.most_binary));
    stream_.auto_fragment(false);
    stream_.async_accept(request, [self = shared_from_this()](error_code e) {
      if (!e) self->enter();
    });
  }

  void send(Bytes message, bool binary) {
    if (closing_) return;
    waiting_ += message->size();
    queue_.push_back({std::move(message), binary});
    if (waiting_ > hall_.options.most_waiting) return cut();
    if (queue_.size() == 1) write();
  }
  std::size_t waiting() const { return waiting_; }

  /// Says goodbye.
  void close(websocket::close_reason why) {
    if (std::exchange(closing_, true)) return;
    stream_.async_close(why, [self = shared_from_this()](error_code) { self->leave(); });
  }

 private:
  void enter() {
    id_ = ++hall_.last;
    hall_.pages.emplace(id_, shared_from_this());
    if (hall_.handlers.opened) hall_.handlers.opened(id_);
    read();
  }
  void leave() {
    if (hall_.pages.erase(id_) > 0 && hall_.handlers.closed) hall_.handlers.closed(id_);
  }
  void cut() {  // reading fails then, and it leaves
    closing_ = true;
    error_code e;
    beast::get_lowest_layer(stream_).socket().close(e);
  }

  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](error_code e, std::size_t) {
      if (e) return self->leave();
      self->take();
    });
  }
  void take() {
    const bool binary = stream_.got_binary();
    const std::size_t most = binary ? hall_.options.most_binary : hall_.options.most_text;
    const auto& hear = binary ? hall_.handlers.binary : hall_.handlers.text;
    if (most == 0)
      return close(
          {websocket::close_code::unknown_data, binary ? "no binary messages" : "no text"});
    if (buffer_.size() > most) return close({websocket::close_code::too_big, "too long"});
    const auto data = buffer_.cdata();
    if (hear) hear(id_, {static_cast<const char*>(data.data()), data.size()});
    buffer_.consume(buffer_.size());
    read();
  }

  void write() {
    stream_.binary(queue_.front().binary);
    stream_.async_write(asio::buffer(*queue_.front().message),
                        [self = shared_from_this()](error_code e, std::size_t) {
                          if (e) return self->leave();
                          self->waiting_ -= self->queue_.front().message->size();
                          self->queue_.pop_front();
                          if (!self->queue_.empty() && !self->closing_) self->write();
                        });
  }

  struct Sent {
    Bytes message;
    bool binary;
  };
  Hall& hall_;
  const Guest guest_;
  websocket::stream<beast::tcp_stream> stream_;
  beast::flat_buffer buffer_;
  std::deque<Sent> queue_;  // the first one is on its way
  std::size_t waiting_ = 0;
  PageId id_ = 0;
  bool closing_ = false;
};

/// Requests one after the other, until one becomes a WebSocket.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Hall& hall, tcp::socket socket)
      : hall_(hall),
        stream_(std::move(socket)),
        place_(hall.strangers.insert(hall.strangers.end(), this)) {}
  ~Connection() { leave_strangers(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Its reading and writing fail then, with which it ends.
  void cut() {
    leave_strangers();
    error_code ignored;
    stream_.socket().close(ignored);
  }

  void read() {
    parser_.emplace();
    parser_->header_limit(kMostHead);
    parser_->body_limit(kMostBody);
    stream_.expires_after(kHttpTimeout);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code e, std::size_t) {
                       if (!e) self->answer();
                     });
  }

 private:
  static std::string text(beast::string_view view) { return {view.data(), view.size()}; }

  Verdict verdict() const {
    const auto& request = parser_->get();
    const bool ambiguous =
        request.count(http::field::host) > 1 || request.count(http::field::origin) > 1;
    Verdict out = judge(
        {text(request.method_string()), text(request.target()), text(request[http::field::host]),
         text(request[http::field::origin]), ambiguous, websocket::is_upgrade(request)},
        hall_.gate);
    const bool shown = out.status == 200 || out.status == 101;
    if (shown && !guest_ && hall_.guests >= hall_.options.most_connections)
      return {503, "too many pages are open"};
    return out;
  }

  void leave_strangers() {
    if (place_) hall_.strangers.erase(*place_);
    place_.reset();
  }

  /// It has shown the token.
  void become_guest() {
    if (guest_) return;
    leave_strangers();
    hall_.rate.give_back();
    guest_.emplace(hall_);
  }

  void answer() {
    const auto& request = parser_->get();
    const Verdict verdict = this->verdict();
    if (verdict.status == 200 || verdict.status == 101) become_guest();
    if (verdict.status == 101) return become_socket();
    reply_ = {http::int_to_status(verdict.status), request.version()};
    const bool page = verdict.status == 200;
    reply_.set(http::field::content_type, page ? "text/html; charset=utf-8" : "text/plain");
    reply_.set(http::field::cache_control, "no-store");
    reply_.set("X-Content-Type-Options", "nosniff");
    reply_.set("X-Frame-Options", "DENY");
    reply_.set("Referrer-Policy", "no-referrer");
    if (verdict.status == 405) reply_.set(http::field::allow, "GET");
    reply_.body() = page ? *hall_.page : verdict.reason + "\n";
    reply_.keep_alive(page && request.keep_alive());
    reply_.prepare_payload();
    http::async_write(stream_, reply_, [self = shared_from_this()](error_code e, std::size_t) {
      if (e) return;
      if (self->reply_.keep_alive()) return self->read();
      error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  void become_socket() {
    stream_.expires_never();
    std::make_shared<Socket>(hall_, stream_.release_socket())->accept(parser_->get());
  }

  Hall& hall_;
  beast::tcp_stream stream_;
  std::optional<std::list<Connection*>::iterator> place_;  // among strangers
  std::optional<Guest> guest_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> reply_;
};

}  // namespace

struct Server::Inside {
  Inside(Options options, Handlers handlers)
      : hall{std::move(options), std::move(handlers), {}, {}}, listener(io) {
    listen();
    hall.gate = {listener.local_endpoint().port(), make_token(), hall.options.socket};
    hall.page = bytes(hall.options.page(hall.options.socket + "?token=" + hall.gate.token));
    address = fmt::format("http://127.0.0.1:{}/?token={}", hall.gate.port, hall.gate.token);
    thread = std::thread([this] { io.run(); });
  }

  void listen() {
    const tcp::endpoint here(asio::ip::address_v4::loopback(), hall.options.port);
    error_code e;
    listener.open(here.protocol(), e);
    if (!e) listener.set_option(tcp::acceptor::reuse_address(true), e);
    if (!e) listener.bind(here, e);
    if (!e) listener.listen(asio::socket_base::max_listen_connections, e);
    if (e) throw ServeError(fmt::format("port {} of 127.0.0.1: {}", here.port(), e.message()));
  }

  void accept() {
    listener.async_accept([this](error_code e, tcp::socket socket) {
      if (e == asio::error::operation_aborted) return;
      if (e) return wait(kAfterError);
      welcome(std::move(socket));
      wait(hall.rate.take(RateLimit::Clock::now()));
    });
  }
  /// A stranger, with the oldest one sent away where there are too many: a page shows its token at
  /// once, and what does not cannot keep it out.
  void welcome(tcp::socket socket) {
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    if (hall.strangers.size() >= hall.options.most_strangers) hall.strangers.front()->cut();
    std::make_shared<Connection>(hall, std::move(socket))->read();
  }
  /// Accepts the next connection in so many seconds.
  void wait(double seconds) {
    if (seconds <= 0) return accept();
    pause.expires_after(std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(seconds)));
    pause.async_wait([this](error_code e) {
      if (!e) accept();
    });
  }

  /// Calls f on the thread and waits for what it gives.
  template <class F>
  auto ask(F f) {
    auto promise = std::make_shared<std::promise<decltype(f())>>();
    auto answer = promise->get_future();
    asio::post(io, [promise, f] { promise->set_value(f()); });
    return answer.get();
  }

  bool until(double seconds, const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!ask(done)) {
      if (std::chrono::steady_clock::now() >= end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
  }

  Socket* find(PageId page) const {
    const auto it = hall.pages.find(page);
    return it == hall.pages.end() ? nullptr : it->second.get();
  }

  Hall hall;  // outlives connections, which are the io_context's
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
  tcp::acceptor listener;
  asio::steady_timer pause{io};
  std::string address;
  std::thread thread;
};

Server::Server(Options options, Handlers handlers)
    : inside_(std::make_unique<Inside>(std::move(options), std::move(handlers))) {
  // Handlers use the server: nobody comes before it stands.
  asio::post(inside_->io, [inside = inside_.get()] { inside->accept(); });
}

Server::~Server() {
  asio::post(inside_->io, [this] {
    error_code ignored;
    inside_->listener.close(ignored);
    inside_->pause.cancel();
    const auto pages = inside_->hall.pages;  // close() may take one out
    for (const auto& [id, page] : pages) page->close(websocket::close_code::going_away);
  });
  inside_->until(0.5, [this] { return inside_->hall.pages.empty(); });
  asio::post(inside_->io, [this] { inside_->hall.handlers = {}; });
  inside_->io.stop();
  inside_->thread.join();
  inside_->hall.pages.clear();
}

const std::string& Server::address() const { return inside_->address; }
unsigned short Server::port() const { return inside_->hall.gate.port; }
void Server::post(std::function<void()> f) { asio::post(inside_->io, std::move(f)); }

void Server::drain(double seconds) {
  inside_->until(seconds, [this] {
    return std::all_of(inside_->hall.pages.begin(), inside_->hall.pages.end(),
                       [](const auto& page) { return page.second->waiting() == 0; });
  });
}

double Server::cpu() const {
  clockid_t clock = 0;
  timespec time{};
  if (pthread_getcpuclockid(inside_->thread.native_handle(), &clock) != 0 ||
      clock_gettime(clock, &time) != 0)
    return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void Server::send_text(PageId page, Bytes message) {
  if (Socket* socket = inside_->find(page)) socket->send(std::move(message), false);
}
void Server::send_binary(PageId page, Bytes message) {
  if (Socket* socket = inside_->find(page)) socket->send(std::move(message), true);
}
std::size_t Server::waiting(PageId page) const {
  const Socket* socket = inside_->find(page);
  return socket ? socket->waiting() : 0;
}

}  // namespace trammel::serve
