#define _GNU_SOURCE
#include "CLinux.h"

#include <sys/syscall.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

const uint32_t sys_readable = EPOLLIN;
const uint32_t sys_writable = EPOLLOUT;
const uint32_t sys_broken = EPOLLERR | EPOLLHUP;

int sys_set_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int sys_watch(int set, int descriptor, uint32_t interest, int known, uint64_t tag) {
  struct epoll_event event = {.events = interest, .data.u64 = tag};
  int operation = interest == 0 ? EPOLL_CTL_DEL : known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  return epoll_ctl(set, operation, descriptor, &event) == 0 ? 0 : errno;
}

int sys_wait(int set, void *events, int room, int64_t nanoseconds) {
  struct timespec span = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  int ready = nanoseconds == 0 ? epoll_wait(set, events, room, 0)
                               : epoll_pwait2(set, events, room, nanoseconds < 0 ? NULL : &span, NULL);
  if (ready < 0 && errno == ENOSYS)
    ready = epoll_wait(set, events, room, nanoseconds < 0 ? -1 : (int)((nanoseconds + 999999) / 1000000));
  return ready < 0 ? -errno : ready;
}

size_t sys_event_size(void) { return sizeof(struct epoll_event); }
uint32_t sys_event_readiness(const void *events, int index) {
  return ((const struct epoll_event *)events)[index].events;
}
uint64_t sys_event_tag(const void *events, int index) {
  return ((const struct epoll_event *)events)[index].data.u64;
}

int sys_bell_create(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
void sys_bell_ring(int bell) { eventfd_write(bell, 1); }
void sys_bell_hear(int bell) {
  eventfd_t rings;
  eventfd_read(bell, &rings);
}

void sys_sharpen_timers(void) { prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0); }
int sys_thread_number(void) { return (int)syscall(SYS_gettid); }
void sys_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

static int64_t now(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}
static _Thread_local int64_t skipped;
int64_t sys_monotonic(void) { return now(CLOCK_MONOTONIC) + skipped; }
void sys_skip(int64_t nanoseconds) { skipped += nanoseconds; }
int64_t sys_thread_cpu(void) { return now(CLOCK_THREAD_CPUTIME_ID); }

uint64_t sys_raise_file_limit(void) {
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return 0;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  return sys_file_limit();
}

uint64_t sys_file_limit(void) {
  struct rlimit files;
  return getrlimit(RLIMIT_NOFILE, &files) == 0 ? files.rlim_cur : 0;
}

int64_t sys_peak_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (int64_t)usage.ru_maxrss * 1024 : 0;
}

int sys_leaves_spare(int descriptor) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 1;
  return (rlim_t)descriptor + 16 < limit.rlim_cur;
}

int sys_tcp_socket(int family) {
  int descriptor = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  if (descriptor < 0) return -errno;
  if (!sys_leaves_spare(descriptor)) {
    close(descriptor);
    return -EMFILE;
  }
  int yes = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return descriptor;
}

long sys_send(int socket, const void *bytes, size_t count) {
  long sent = send(socket, bytes, count, MSG_NOSIGNAL);
  return sent < 0 ? -errno : sent;
}

long sys_receive(int socket, void *bytes, size_t room) {
  long received = recv(socket, bytes, room, 0);
  return received < 0 ? -errno : received;
}

void sys_block_broken_pipes(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

int sys_is_silent(int socket) {
  char byte;
  return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

int sys_connect(int socket, const void *address, size_t length) {
  return connect(socket, address, length) == 0 ? 0 : -errno;
}

int sys_bind(int socket, const void *address, size_t length) {
  // The port is chosen when the socket connects, so that one port serves several targets.
  int yes = 1;
  setsockopt(socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof yes);
  return bind(socket, address, length) == 0 ? 0 : -errno;
}

int sys_socket_error(int socket) {
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

#ifndef MURPHY_COMMIT
#define MURPHY_COMMIT ""
#endif

const char *sys_build_commit(void) { return MURPHY_COMMIT; }
