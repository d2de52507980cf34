// Who is let in, request by request: each rule with a request that only this rule turns away.
#include "access.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace painleve::studio {
namespace access_test {

const std::string secret(64, 'a');

RequestHead page() {
  RequestHead head;
  head.method = "GET";
  head.target = "/";
  head.host = "127.0.0.1:8080";
  return head;
}

RequestHead call() {
  RequestHead head = page();
  head.method = "POST";
  head.target = "/api/analyze";
  head.token = secret;
  head.content_type = "application/json";
  return head;
}

int status(const RequestHead& head) {
  const Admission a = admit(head, secret);
  if (!a.refusal) return 200;
  EXPECT_NE(a.refusal->sentence, "");
  EXPECT_EQ(a.refusal->allow.empty(), a.refusal->status != 405);
  return a.refusal->status;
}

TEST(Access, LetsInThePageTheStreamAndCalls) {
  EXPECT_EQ(status(page()), 200);
  EXPECT_EQ(admit(page(), secret).wanted, Wanted::file);
  EXPECT_EQ(status(call()), 200);
  EXPECT_EQ(admit(call(), secret).wanted, Wanted::call);
  EXPECT_EQ(admit(call(), secret).path, "/api/analyze");
  RequestHead stream = page();
  stream.target = "/api/stream?again=1";
  stream.token = secret;
  EXPECT_EQ(status(stream), 200);
  EXPECT_EQ(admit(stream, secret).wanted, Wanted::stream);
  EXPECT_EQ(admit(stream, secret).path, "/api/stream");
  RequestHead head = page();
  head.method = "HEAD";
  head.target = "/app.js?v=2";
  EXPECT_EQ(status(head), 200);
  EXPECT_EQ(admit(head, secret).path, "/app.js");
}

TEST(Access, TheHostIsThisMachine) {
  for (const char* host : {"127.0.0.1", "127.0.0.1:1", "localhost", "LocalHost:65535", "[::1]", "[::1]:8080"}) {
    RequestHead head = page();
    head.host = host;
    EXPECT_EQ(status(head), 200) << host;
  }
  for (const char* host : {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "127.0.0.2",
                           "127.0.0.1:", "127.0.0.1:80a", "127.0.0.1:800000", "a@127.0.0.1", "[::1", "[::1]x", "::1",
                           "xlocalhost", "127.0.0.1 ", "127.0.0.1:80:80", "0.0.0.0"}) {
    RequestHead head = page();
    head.host = host;
    EXPECT_EQ(status(head), 403) << host;
  }
}

TEST(Access, TheOriginIsAPageOfThisMachine) {
  for (const char* origin : {"http://127.0.0.1:8080", "http://localhost", "https://localhost:9", "http://[::1]:8080"}) {
    RequestHead head = call();
    head.has_origin = true;
    head.origin = origin;
    EXPECT_EQ(status(head), 200) << origin;
  }
  for (const char* origin : {"", "null", "http://evil.example", "https://localhost.evil.example", "file://",
                             "127.0.0.1:8080", "ftp://localhost", "http://localhost@evil.example", "http://"}) {
    for (RequestHead head : {call(), page()}) {
      head.has_origin = true;
      head.origin = origin;
      EXPECT_EQ(status(head), 403) << origin;
    }
  }
}

TEST(Access, TheBrowserSaysWhichSiteAsks) {
  for (const char* site : {"", "none", "same-origin"}) {
    RequestHead head = page();
    head.fetch_site = site;
    EXPECT_EQ(status(head), 200) << site;
  }
  for (const char* site : {"cross-site", "same-site", "anything"}) {
    RequestHead asked = call();
    asked.fetch_site = site;
    EXPECT_EQ(status(asked), 403) << site;
    RequestHead linked = page();
    linked.fetch_site = site;
    EXPECT_EQ(status(linked), 200) << "a link to the page from " << site;
  }
}

TEST(Access, CallsAndTheStreamNeedTheToken) {
  RequestHead stream = page();
  stream.target = "/api/stream";
  const std::string other(64, 'b');
  const std::string longer = secret + "a";
  for (const std::string& token : {std::string(), other, longer, secret.substr(1)}) {
    RequestHead head = call();
    head.token = token;
    EXPECT_EQ(status(head), 401) << token;
    stream.token = token;
    EXPECT_EQ(status(stream), 401) << token;
  }
  RequestHead head = call();
  head.token = "";
  EXPECT_EQ(admit(head, "").refusal.value_or(Refusal{}).status, 401) << "a server without a token";
}

TEST(Access, PostBringsJson) {
  for (const char* type : {"application/json", "Application/JSON; charset=utf-8", "application/json ;x=y"}) {
    RequestHead head = call();
    head.content_type = type;
    EXPECT_EQ(status(head), 200) << type;
  }
  for (const char* type : {"", "text/plain", "application/jsonp", "text/plain; application/json",
                           "application/x-www-form-urlencoded", "multipart/form-data", ";application/json"}) {
    RequestHead head = call();
    head.content_type = type;
    EXPECT_EQ(status(head), 415) << type;
  }
}

std::string allowed(const char* method, const char* target) {
  RequestHead head = call();
  head.method = method;
  head.target = target;
  EXPECT_EQ(status(head), 405) << method << " " << target;
  return admit(head, secret).refusal.value_or(Refusal{}).allow;
}

TEST(Access, OnlyPostChangesAnything) {
  EXPECT_EQ(allowed("GET", "/api/cancel?id=1"), "POST");
  EXPECT_EQ(allowed("HEAD", "/api/job"), "POST");
  EXPECT_EQ(allowed("OPTIONS", "/api/job"), "POST");
  EXPECT_EQ(allowed("PUT", "/api/job"), "POST");
  EXPECT_EQ(allowed("POST", "/api/stream"), "GET");
  EXPECT_EQ(allowed("HEAD", "/api/stream"), "GET");
  EXPECT_EQ(allowed("POST", "/"), "GET, HEAD");
  EXPECT_EQ(allowed("POST", "/api"), "GET, HEAD");
  EXPECT_EQ(allowed("DELETE", "/app.js"), "GET, HEAD");
}

TEST(Access, ATargetIsAPath) {
  for (const char* target : {"", "*", "http://127.0.0.1/", "api/stream", "?x"}) {
    RequestHead head = page();
    head.target = target;
    EXPECT_EQ(status(head), 404) << target;
  }
}

TEST(Access, TokensAreLongAndNeverTheSame) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string token = draw_token();
    EXPECT_EQ(token.size(), 64U);
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos) << token;
    seen.insert(token);
  }
  EXPECT_EQ(seen.size(), 100U);
}

TEST(Access, TokensAreComparedToTheLastDigit) {
  EXPECT_TRUE(same_token("abc", "abc"));
  EXPECT_FALSE(same_token("abc", "abd"));
  EXPECT_FALSE(same_token("abc", "bbc"));
  EXPECT_FALSE(same_token("abc", "ab"));
  EXPECT_FALSE(same_token("", ""));
}

TEST(Access, AnswersAllowNothingForeign) {
  std::string policy;
  std::set<std::string> names;
  for (const auto& [name, value] : guarding_headers()) {
    names.insert(name);
    if (name == "Content-Security-Policy") policy = value;
  }
  EXPECT_EQ(names, (std::set<std::string>{"Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options",
                                          "Referrer-Policy", "Cross-Origin-Opener-Policy",
                                          "Cross-Origin-Resource-Policy", "Cache-Control"}));
  EXPECT_TRUE(policy.starts_with("default-src 'none'; "));
  EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
  for (const char* open : {"*", "unsafe", "http:", "https:"}) {
    EXPECT_EQ(policy.find(open), std::string::npos) << open;
  }
}

}  // namespace access_test
}  // namespace painleve::studio
