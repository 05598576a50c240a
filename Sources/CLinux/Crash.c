#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The handler writes the name of the signal between two parts.
struct part {
  char *bytes;
  size_t length;
  struct part *next;
};

struct step {
  int kind;
  int descriptor;
  char *path;
  char *fresh;
  struct part *first, *last;
  struct step *next;
};

struct notes {
  struct step *first, *last;
};

enum { make_folder, write_file, remove_file, write_stream };

static const int fatal[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE};
enum { fatal_count = sizeof fatal / sizeof *fatal };
static struct notes *armed;
static int status_then;
static int is_armed;
static int has_crashed;

static char *copy(const char *bytes, size_t length) {
  char *own = malloc(length + 1);
  if (own == NULL) return NULL;
  memcpy(own, bytes, length);
  own[length] = 0;
  return own;
}

sys_notes sys_notes_create(void) { return calloc(1, sizeof(struct notes)); }

static struct step *add(sys_notes all, int kind) {
  struct notes *notes = all;
  struct step *step = notes == NULL ? NULL : calloc(1, sizeof *step);
  if (step == NULL) return NULL;
  step->kind = kind;
  if (notes->last != NULL) notes->last->next = step;
  else notes->first = step;
  notes->last = step;
  return step;
}

static void add_path(sys_notes notes, int kind, const char *path) {
  static const char suffix[] = ".crash";
  char *own = copy(path, strlen(path));
  char *fresh = malloc(strlen(path) + sizeof suffix);
  if (own == NULL || fresh == NULL) return;
  strcpy(fresh, path);
  strcat(fresh, suffix);
  struct step *step = add(notes, kind);
  if (step == NULL) return;
  step->path = own;
  step->fresh = fresh;
}

void sys_notes_folder(sys_notes notes, const char *path) { add_path(notes, make_folder, path); }
void sys_notes_file(sys_notes notes, const char *path) { add_path(notes, write_file, path); }
void sys_notes_removal(sys_notes notes, const char *path) { add_path(notes, remove_file, path); }
void sys_notes_stream(sys_notes notes, int descriptor) {
  struct step *step = add(notes, write_stream);
  if (step != NULL) step->descriptor = descriptor;
}

void sys_notes_part(sys_notes all, const char *bytes, size_t length) {
  struct notes *notes = all;
  struct part *part = notes == NULL || notes->last == NULL ? NULL : calloc(1, sizeof *part);
  if (part == NULL) return;
  part->bytes = copy(bytes, length);
  part->length = part->bytes == NULL ? 0 : length;
  struct step *step = notes->last;
  if (step->last != NULL) step->last->next = part;
  else step->first = part;
  step->last = part;
}

// All functions from here to `crashed` are async-signal-safe.

static const char *name_of(int number) {
  switch (number) {
  case SIGILL: return "SIGILL";
  case SIGTRAP: return "SIGTRAP";
  case SIGSEGV: return "SIGSEGV";
  case SIGBUS: return "SIGBUS";
  case SIGABRT: return "SIGABRT";
  default: return "SIGFPE";
  }
}

static int put(int descriptor, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = write(descriptor, bytes, length);
    if (written > 0) {
      bytes += written;
      length -= (size_t)written;
    } else if (written < 0 && errno == EAGAIN) {
      struct pollfd room = {.fd = descriptor, .events = POLLOUT};
      if (poll(&room, 1, 1000) <= 0) return 0;
    } else if (written == 0 || errno != EINTR) {
      return 0;
    }
  }
  return 1;
}

static int put_parts(int descriptor, const struct step *step, const char *name) {
  for (const struct part *part = step->first; part != NULL; part = part->next) {
    if (part != step->first && !put(descriptor, name, strlen(name))) return 0;
    if (!put(descriptor, part->bytes, part->length)) return 0;
  }
  return 1;
}

static void put_file(const struct step *step, const char *name) {
  unlink(step->fresh);
  int file = open(step->fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  int is_whole = file >= 0 && put_parts(file, step, name);
  if (file >= 0 && close(file) != 0) is_whole = 0;
  if (is_whole && rename(step->fresh, step->path) == 0) return;
  unlink(step->fresh);
  // A file of an earlier run would be mistaken for this run's file.
  unlink(step->path);
}

static void leave(int streams, const char *name) {
  const struct notes *notes = __atomic_load_n(&armed, __ATOMIC_ACQUIRE);
  for (const struct step *step = notes == NULL ? NULL : notes->first; step != NULL; step = step->next) {
    if ((step->kind == write_stream) != streams) continue;
    switch (step->kind) {
    case make_folder: mkdir(step->path, 0777); break;
    case remove_file: unlink(step->path); break;
    case write_file: put_file(step, name); break;
    default: put_parts(step->descriptor, step, name);
    }
  }
}

static void crashed(int number) {
  // The first thread that crashes writes; others wait for the end.
  if (__atomic_exchange_n(&has_crashed, 1, __ATOMIC_SEQ_CST))
    for (;;) pause();
  leave(0, name_of(number));
  leave(1, name_of(number));
  _exit(status_then);
}

void sys_notes_arm(sys_notes notes, int status) {
  status_then = status;
  __atomic_store_n(&armed, (struct notes *)notes, __ATOMIC_RELEASE);
  if (__atomic_exchange_n(&is_armed, 1, __ATOMIC_SEQ_CST)) return;
  struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < fatal_count; index++) sigaddset(&action.sa_mask, fatal[index]);
  for (int index = 0; index < fatal_count; index++) sigaction(fatal[index], &action, NULL);
  sys_crash_stack();
}

void sys_crash_stack(void) {
  enum { room = 64 * 1024 };
  stack_t known;
  if (!__atomic_load_n(&is_armed, __ATOMIC_ACQUIRE)) return;
  if (sigaltstack(NULL, &known) != 0 || !(known.ss_flags & SS_DISABLE)) return;
  void *memory = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t stack = {.ss_sp = memory, .ss_size = room};
  sigaltstack(&stack, NULL);
}
