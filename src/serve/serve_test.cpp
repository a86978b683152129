#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <map>
#include <thread>

#include "serve/admission.h"
#include "serve/kept.h"
#include "serve/live.h"
#include "serve/messages.h"
#include "serve/rate_limit.h"
#include "serve/test_client.h"

namespace trammel::serve::serve_test {

bool has(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

// -- the server by itself

Options plain() {
  Options out;
  out.page = [](std::string_view socket) { return "<p>" + std::string(socket) + "</p>"; };
  return out;
}

/// A server that says what it hears.
struct Echo {
  explicit Echo(Options options = plain())
      : server(std::move(options), {.opened = [this](PageId) { ++open; },
                                    .closed = [this](PageId) { --open; },
                                    .text =
                                        [this](PageId p, std::string_view t) {
                                          server.send_text(p, bytes("heard " + std::string(t)));
                                        },
                                    .binary =
                                        [this](PageId p, std::string_view t) {
                                          server.send_binary(p, bytes(std::string(t)));
                                        }}) {}
  void wait_for(int pages) const {
    for (int i = 0; i < 2000 && open != pages; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(open, pages);
  }
  std::atomic<int> open = 0;
  Server server;
};

TEST(Serving, GivesThePageToWhoHasTheToken) {
  const Server server(plain(), {});
  const Address at(server.address());
  EXPECT_EQ(at.port, server.port());
  EXPECT_EQ(at.token.size(), 32u);
  const Answer page = get(at, "/?token=" + at.token);
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, "<p>/live?token=" + at.token + "</p>");
  EXPECT_EQ(get(at, "/?x=1&token=" + at.token).status, 200);
  EXPECT_EQ(get(at, "/?token=" + at.token, "Origin: http://" + at.host() + "\r\n").status, 200);
}

TEST(Serving, EachServerHasATokenOfItsOwn) {
  const Server a(plain(), {}), b(plain(), {});
  EXPECT_NE(Address(a.address()).token, Address(b.address()).token);
}

TEST(Serving, RefusesStrangers) {
  const Server server(plain(), {});
  const Address at(server.address());
  const std::string good = "/?token=" + at.token;
  std::string bad = good;
  bad.back() = bad.back() == '0' ? '1' : '0';
  for (const std::string& target :
       {std::string("/"), std::string("/?token="), bad, good.substr(0, good.size() - 1), good + "0",
        std::string("/live"), "/live?token=" + at.token.substr(1)})
    EXPECT_EQ(get(at, target).status, 403) << target;
  EXPECT_TRUE(has(get(at, "/").body, "token"));
  for (const char* origin :
       {"http://example.org", "null", "https://127.0.0.1", "http://127.0.0.1:1"})
    EXPECT_EQ(get(at, good, fmt::format("Origin: {}\r\n", origin)).status, 403) << origin;
  const auto as = [&](const std::string& host) {
    return ask(at.port, fmt::format("GET {} HTTP/1.1\r\n{}\r\n", good,
                                    host.empty() ? "" : "Host: " + host + "\r\n"))
        .status;
  };
  for (const std::string host : {"", "example.org", "127.0.0.1", "127.0.0.1:1", "evil.localhost"})
    EXPECT_EQ(as(host), 403) << host;
  EXPECT_EQ(as(fmt::format("LocalHost:{}", at.port)), 200);
  EXPECT_EQ(get(at, "/favicon.ico").status, 404);
  EXPECT_EQ(get(at, "/../etc/passwd?token=" + at.token).status, 404);
  EXPECT_EQ(get(at, "/live?token=" + at.token).status, 426);
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS"})
    EXPECT_EQ(
        ask(at.port, fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\n\r\n", method, good, at.host()))
            .status,
        405)
        << method;
}

TEST(Serving, RefusesTwoHostsOrTwoOrigins) {
  const Server server(plain(), {});
  const Address at(server.address());
  const std::string good = "/?token=" + at.token, here = "Origin: http://" + at.host() + "\r\n";
  EXPECT_EQ(get(at, good, "Host: example.org\r\n").status, 400);
  EXPECT_EQ(get(at, good, "Host: " + at.host() + "\r\n").status, 400);
  EXPECT_EQ(get(at, good, here + "Origin: http://example.org\r\n").status, 400);
  EXPECT_EQ(get(at, good, here).status, 200);
}

/// Connections that say nothing, or half a request, do not keep a page out.
TEST(Serving, StrangersKeepNoPageOut) {
  Echo echo;
  const Address at(echo.server.address());
  Browser before(at);
  echo.wait_for(1);
  std::vector<std::unique_ptr<Wire>> strangers;
  for (int i = 0; i < 500; ++i) {
    strangers.push_back(std::make_unique<Wire>(at.port));
    if (i % 2 == 0) strangers.back()->send("GET / HTTP/1.1\r\nHost: ");
  }
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(get(at, "/?token=" + at.token).status, 200);
  EXPECT_EQ(Browser(at).status, 101);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5));
  before.text("still");
  EXPECT_EQ(before.next().data, "heard still");
}

TEST(Serving, TooManyPagesAreRefusedWithTheReason) {
  Options options = plain();
  options.most_connections = 2;
  Echo echo(options);
  const Address at(echo.server.address());
  const Browser a(at), b(at);
  echo.wait_for(2);
  EXPECT_EQ(Browser(at).status, 503);
  EXPECT_TRUE(has(get(at, "/?token=" + at.token).body, "too many pages"));
}

TEST(Serving, RateLimitHoldsInTheLongRun) {
  const RateLimit::Clock::time_point start{};
  RateLimit rate(100, 10, start);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(rate.take(start), 0);
  EXPECT_NEAR(rate.take(start), 0.01, 1e-12);
  rate.give_back();
  EXPECT_NEAR(rate.take(start), 0.01, 1e-12);
  EXPECT_EQ(rate.take(start + std::chrono::seconds(1)), 0);
}

TEST(Serving, OutlivesWhatIsNoRequest) {
  const Server server(plain(), {});
  const Address at(server.address());
  for (const std::string& nonsense :
       {std::string("\x16\x03\x01\x02\r\n\r\n"), std::string(100000, 'x'),
        "GET / HTTP/1.1\r\nA: " + std::string(20000, 'y'), std::string("GET /")}) {
    Wire wire(at.port);
    wire.send(nonsense);
  }
  EXPECT_EQ(get(at, "/?token=" + at.token).status, 200);
}

TEST(Serving, SocketsOfForeignPagesAreRefused) {
  const Server server(plain(), {});
  Address at(server.address());
  EXPECT_EQ(Browser(at).status, 101);
  EXPECT_EQ(Browser(at, "http://" + at.host()).status, 101);
  EXPECT_EQ(Browser(at, "http://example.org").status, 403);
  EXPECT_EQ(Browser(at, "null").status, 403);
  at.token[3] = 'x';
  EXPECT_EQ(Browser(at).status, 403);
}

TEST(Serving, HearsAndSpeaks) {
  Echo echo;
  Browser page(Address(echo.server.address()));
  page.text("so");
  EXPECT_EQ(page.next().data, "heard so");
  page.text("");
  EXPECT_EQ(page.next().data, "heard ");
  const std::string all(4096, 'a');
  page.text(all);
  EXPECT_EQ(page.next().data, "heard " + all);
}

TEST(Serving, LongAndBinaryMessagesCloseTheConnection) {
  Echo echo;
  const Address at(echo.server.address());
  Browser a(at), b(at), c(at);
  echo.wait_for(3);
  a.text(std::string(4097, 'a'));
  EXPECT_EQ(a.next().code(), 1009);
  b.binary("x");
  EXPECT_EQ(b.next().code(), 1003);
  a.kill();
  b.kill();
  echo.wait_for(1);
  c.text("still");
  EXPECT_EQ(c.next().data, "heard still");
}

TEST(Serving, TakesLargeBinaryMessagesWhereTheyAreWanted) {
  Options options = plain();
  options.most_binary = 1 << 20;
  Echo echo(options);
  Browser page(Address(echo.server.address()));
  const std::string big(1 << 20, 'b');
  page.binary(big);
  EXPECT_EQ(page.next().data, big);
  page.text(std::string(4097, 'a'));
  EXPECT_EQ(page.next().code(), 1009);
}

TEST(Serving, APageThatTakesNothingIsCutOff) {
  Options options = plain();
  options.most_waiting = 1 << 20;
  Echo echo(options);
  Browser page(Address(echo.server.address()));
  echo.wait_for(1);
  const Bytes much = bytes(std::string(1 << 18, 'z'));
  for (int i = 0; i < 100; ++i) echo.server.post([&] { echo.server.send_binary(1, much); });
  echo.wait_for(0);
}

TEST(Serving, APortThatIsTakenIsTold) {
  const Server first(plain(), {});
  Options options = plain();
  options.port = first.port();
  try {
    const Server second(options, {});
    FAIL();
  } catch (const ServeError& e) {
    EXPECT_TRUE(has(e.what(), std::to_string(first.port()))) << e.what();
  }
}

// -- frames in memory

std::vector<io::Series> series() {
  return {{"/bodies/position", "position", {"bob"}, {"x", "y", "z"}, {"m", "m", "m"}},
          {"/inputs/value", "", {"push"}, {""}, {"N"}}};
}

TEST(KeptFrames, AreThinnedAndCut) {
  KeptFrames kept(series(), 4 * 64);
  for (int i = 0; i < 200; ++i) {
    const auto x = static_cast<float>(i);
    kept.add(i, std::array{x, 2 * x, 3 * x, -x});
  }
  EXPECT_LE(kept.size(), 64u);
  EXPECT_GT(kept.every(), 1u);
  EXPECT_EQ(kept.last(), 199);
  kept.cut(150.5);
  EXPECT_LE(kept.last(), 150);
  EXPECT_GT(kept.last(), 100);
  report::Arrays arrays;
  kept.pack(arrays);
  ASSERT_EQ(arrays.places().size(), 3u);
  EXPECT_EQ(arrays.places()[0].count, kept.size());
  EXPECT_EQ(arrays.places()[1].count, 3 * kept.size());
}

// -- commands

std::string wrong(const std::string& text) {
  const auto parsed = parse_command(text);
  return std::holds_alternative<std::string>(parsed) ? std::get<std::string>(parsed) : "";
}

TEST(Commands, AreRead) {
  const auto input = std::get<Command>(parse_command("input wagon.throttle -0.25"));
  EXPECT_EQ(input.kind, Command::Kind::input);
  EXPECT_EQ(input.name, "wagon.throttle");
  EXPECT_EQ(input.value, -0.25);
  EXPECT_EQ(std::get<Command>(parse_command("step 100000")).value, 1e5);
  EXPECT_EQ(std::get<Command>(parse_command("speed 0")).value, 0);
  EXPECT_EQ(std::get<Command>(parse_command("rewind 1e-3")).value, 1e-3);
  EXPECT_EQ(std::get<Command>(parse_command("take")).kind, Command::Kind::take);
}

TEST(Commands, ThatMakeNoSenseAreRefused) {
  for (const auto& [text, says] :
       std::map<std::string, std::string>{{"", "there is no command"},
                                          {"puase", "did you mean 'pause'"},
                                          {"pause 3", "pause has 0 words after it, not 1"},
                                          {"input push", "input has 2 words"},
                                          {"input push nan", "'nan' is no number"},
                                          {"input push inf", "is no number"},
                                          {"input push 1e999", "is no number"},
                                          {"input push 3x", "'3x' is no number"},
                                          {"step 0", "a whole number from 1 to 100000"},
                                          {"step 1.5", "a whole number"},
                                          {"step 100001", "from 1 to"},
                                          {"speed -1", "from 0 to 100"},
                                          {"speed 101", "from 0 to 100"},
                                          {"speed 0.001", "not slower than 0.01"},
                                          {"rewind", "rewind has 1 words"},
                                          {"\x01\x02", "there is no command '?"},
                                          {std::string(3000, 'a'), "there is no command 'aaaa"}})
    EXPECT_TRUE(has(wrong(text), says)) << text << ": " << wrong(text);
}

// -- a run in pages

struct Show {
  explicit Show(Shown::Mode mode = Shown::Mode::play) : live(shown(mode), 0), at(live.address()) {}
  static Shown shown(Shown::Mode mode) {
    Shown out{
        .mode = mode, .header = {"format = 1", "x.toml", "0", "velocity", {}}, .series = series()};
    out.step = 0.01;
    out.end = 5;
    model::Input push;
    push.name = "push";
    push.unit = "N";
    push.least = -2;
    push.most = INFINITY;
    out.inputs = {push};
    out.controls = {{.input = "push", .keys = {"a", "d"}, .rate = 4}};
    return out;
  }
  void frame(double t) { live.frames({t}, {static_cast<float>(t), 2, 3, 4}); }
  std::vector<Command> commands(std::size_t n) {
    std::vector<Command> out;
    for (int i = 0; i < 500 && out.size() < n; ++i) {
      live.wait(0.02);
      for (Command& c : live.take()) out.push_back(std::move(c));
    }
    return out;
  }
  Live live;
  Address at;
};

/// The whole of a run as it was before compression.
std::string unpacked(const std::string& data) {
  std::string out(1 << 20, '\0');
  uLongf size = out.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                       reinterpret_cast<const Bytef*>(data.data()), data.size()),
            Z_OK);
  out.resize(size);
  return out;
}

TEST(LiveRun, BeginsWithAllThatWas) {
  Show show;
  show.frame(0);
  show.live.events({{0.5, "impact", "bob", "it <struck>", 1, "J"}});
  Browser page(show.at);
  const Browser::Message first = page.next();
  EXPECT_EQ(first.kind, 2);
  const std::string whole = unpacked(first.data);
  EXPECT_EQ(whole.substr(0, 8), "TRAMMEL1");
  for (const char* words : {"\"mode\": \"play\"", "\"rest\": 0", "\"from\": -2", "\"to\": null",
                            "\"rate\": 4", "\"returns\": true", "\"axis\": -1", "it <struck>",
                            "\"displays\"", "\"ending\": \"open\"", "\"step\": 0.01"})
    EXPECT_TRUE(has(whole, words)) << words;
  show.frame(0.25);
  const Browser::Message more = page.next();
  ASSERT_EQ(more.kind, 2);
  ASSERT_EQ(more.data.size(), 8u + 8 + 8 + 16);
  EXPECT_EQ(more.data.substr(0, 8), "TRAMMEL+");
  double t = 0;
  std::memcpy(&t, more.data.data() + 16, 8);
  EXPECT_EQ(t, 0.25);
  float x = 0;
  std::memcpy(&x, more.data.data() + 24, 4);
  EXPECT_EQ(x, 0.25f);
}

TEST(LiveRun, GoesBack) {
  Show show;
  for (const double t : {0., 1., 2., 3.}) show.frame(t);
  show.live.events(
      {{2.5, "impact", "bob", "LATER", 1, "J"}, {0.5, "impact", "bob", "SOON", 1, "J"}});
  Browser page(show.at);
  page.next();
  show.live.back(1.5);
  EXPECT_TRUE(has(page.until("back"), "\"t\": 1.5"));
  Browser next(show.at);
  const std::string whole = unpacked(next.next().data);
  EXPECT_TRUE(has(whole, "\"count\": 2,"));
  EXPECT_TRUE(has(whole, "SOON"));
  EXPECT_FALSE(has(whole, "LATER"));
}

TEST(LiveRun, OnePageDrivesAndOthersTakeOver) {
  Show show;
  show.live.status({.state = Status::State::paused, .inputs = {0.}});
  Browser first(show.at);
  EXPECT_TRUE(has(first.until("status"), "\"driver\": true"));
  Browser second(show.at);
  EXPECT_TRUE(has(second.until("status"), "\"driver\": false"));
  second.text("input push 1");
  EXPECT_TRUE(has(second.until("refused"), "another page drives"));
  first.text("input push 1.5");
  std::vector<Command> got = show.commands(2);
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(got[0].kind, Command::Kind::came);
  EXPECT_EQ(got[1].value, 1.5);
  second.text("take");
  EXPECT_TRUE(has(second.until("status"), "\"driver\": true"));
  EXPECT_TRUE(has(first.until("status"), "\"driver\": false"));
  first.text("pause");
  EXPECT_TRUE(has(first.until("refused"), "another page drives"));
  second.kill();
  got = show.commands(1);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].kind, Command::Kind::gone);
  first.text("go");
  EXPECT_TRUE(has(first.until("refused"), "another page drives"));
  Browser third(show.at);
  EXPECT_TRUE(has(third.until("status"), "\"driver\": true"));
}

TEST(LiveRun, RefusesWhatItCannotFollow) {
  Show show;
  Browser page(show.at);
  page.text("input pusch 1");
  EXPECT_TRUE(has(page.until("refused"), "did you mean 'push'"));
  page.text("input push -3");
  EXPECT_TRUE(has(page.until("refused"), "outside its range, -2 to inf"));
  page.text("fly");
  EXPECT_TRUE(has(page.until("refused"), "there is no command 'fly'"));
  EXPECT_EQ(show.commands(1).size(), 1u);  // that a page came
  EXPECT_TRUE(show.live.take().empty());
  Show seen(Shown::Mode::view);
  Browser watcher(seen.at);
  watcher.text("pause");
  EXPECT_TRUE(has(watcher.until("refused"), "watched, not driven"));
}

TEST(LiveRun, TellsItsEndToWhoComesLater) {
  Show show;
  show.live.end(io::Ending::inaccurate, "{\"status\": \"inaccurate\"}");
  Browser page(show.at);
  EXPECT_TRUE(has(unpacked(page.next().data), "\"ending\": \"inaccurate\""));
  EXPECT_TRUE(has(page.until("\"end\""), "\"ending\": \"inaccurate\""));
}

TEST(LiveRun, ASlowPageMissesFramesAndGetsThemLater) {
  Show show;
  show.live.status({.state = Status::State::running});
  Browser slow(show.at);
  slow.next();
  std::vector<double> times(20000);
  for (int k = 0; k < 100; ++k) {  // 48 MB
    for (std::size_t i = 0; i < times.size(); ++i)
      times[i] = k * 100 + 1e-3 * static_cast<double>(i);
    show.live.frames(times, std::vector<float>(4 * times.size(), 1.f));
  }
  show.live.status({.state = Status::State::paused});
  std::size_t got = 0;
  bool whole = false;
  for (Browser::Message m = slow.next(2); m.kind != 0 && !whole; m = slow.next(2))
    if (m.kind == 2 && m.data.starts_with("TRAMMEL+"))
      got += m.data.size();
    else
      whole = m.kind == 2;
  EXPECT_LT(got, 40u << 20);
  EXPECT_TRUE(whole);
}

TEST(LiveRun, StatusGoesOutTenTimesASecond) {
  Show show;
  Browser page(show.at);
  for (int i = 0; i < 100; ++i) {
    show.live.status({.state = Status::State::running, .t = 0.01 * i});
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  show.live.status({.state = Status::State::finished, .t = 7});
  int told = 0;
  for (Browser::Message m = page.next(1); m.kind != 0; m = page.next(1)) {
    told += has(m.data, "\"status\"");
    if (has(m.data, "finished")) break;
  }
  EXPECT_GE(told, 4);
  EXPECT_LE(told, 12);
}

}  // namespace trammel::serve::serve_test
