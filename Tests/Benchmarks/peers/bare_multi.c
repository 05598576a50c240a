// The least that a libcurl multi_socket client can do: the yardstick for murphy's own loop.
//
//   cc -O2 -o bare_multi bare_multi.c -lcurl
//   ./bare_multi CONNECTIONS SECONDS URL [HTTP-VERSION CA-FILE]
//
// Keeps CONNECTIONS requests in flight on one thread and one epoll set for SECONDS, reads every body and checks only
// the status. Prints requests per second and CPU microseconds per request. HTTP-VERSION is 1.1 or 2; over 2 each
// request has a connection of its own, as each of murphy's users has.

#define _GNU_SOURCE
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>

static int epoll_set;
static long deadline_ms = -1;

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

static size_t take(char *bytes, size_t size, size_t count, void *received) {
  (void)bytes;
  *(size_t *)received += size * count;
  return size * count;
}

static int watch(CURL *easy, curl_socket_t socket, int what, void *user, void *known) {
  (void)easy;
  struct epoll_event event = {.data.fd = socket};
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(epoll_set, EPOLL_CTL_DEL, socket, NULL);
    return 0;
  }
  event.events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
  epoll_ctl(epoll_set, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
  curl_multi_assign((CURLM *)user, socket, (void *)1);
  return 0;
}

static int arm(CURLM *multi, long milliseconds, void *user) {
  (void)multi;
  (void)user;
  deadline_ms = milliseconds < 0 ? -1 : (long)(seconds(CLOCK_MONOTONIC) * 1000) + milliseconds;
  return 0;
}

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: %s CONNECTIONS SECONDS URL [HTTP-VERSION CA-FILE]\n", arguments[0]);
    return 2;
  }
  int connections = atoi(arguments[1]);
  double duration = atof(arguments[2]);
  long started = 0, answered = 0, failed = 0;
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  size_t received = 0;
  epoll_set = epoll_create1(0);
  curl_global_init(CURL_GLOBAL_ALL);
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, multi);
  curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, arm);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)connections + 1);
  curl_multi_setopt(multi, CURLMOPT_PIPELINING, CURLPIPE_NOTHING);
  double start = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
  for (; started < connections; started++) {
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, arguments[3]);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &received);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    if (count > 4) {
      curl_easy_setopt(
        easy, CURLOPT_HTTP_VERSION, !strcmp(arguments[4], "2") ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
    }
    if (count > 5) curl_easy_setopt(easy, CURLOPT_CAINFO, arguments[5]);
    curl_multi_add_handle(multi, easy);
  }
  int running;
  struct epoll_event events[256];
  curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
  while (answered + failed < started) {
    long now = (long)(seconds(CLOCK_MONOTONIC) * 1000);
    int wait = deadline_ms < 0 ? 1000 : deadline_ms > now ? (int)(deadline_ms - now) : 0;
    int ready = epoll_wait(epoll_set, events, 256, wait);
    for (int i = 0; i < ready; i++) {
      int mask = (events[i].events & EPOLLIN ? CURL_CSELECT_IN : 0) | (events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0)
        | (events[i].events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
      curl_multi_socket_action(multi, events[i].data.fd, mask, &running);
    }
    if (deadline_ms >= 0 && deadline_ms <= (long)(seconds(CLOCK_MONOTONIC) * 1000)) {
      deadline_ms = -1;
      curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(multi, &left))) {
      CURL *easy = message->easy_handle;
      long status = 0;
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
      if (message->data.result == CURLE_OK && status == 200) answered++; else failed++;
      curl_multi_remove_handle(multi, easy);
      if (seconds(CLOCK_MONOTONIC) - start < duration) {
        started++;
        curl_multi_add_handle(multi, easy);
      } else {
        curl_easy_cleanup(easy);
      }
    }
  }
  double elapsed = seconds(CLOCK_MONOTONIC) - start;
  cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  printf("%.0f requests/s, %.2f us CPU per request, %ld failed, %zu bytes\n", answered / elapsed,
         cpu * 1e6 / (answered + failed), failed, received);
  return failed ? 1 : 0;
}
