// Linux functions that Glibc's Swift module lacks: epoll with nanosecond deadlines, eventfd and the
// timer slack of a thread. No system header is included: with _GNU_SOURCE they clash with Swift's Glibc.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The events for which a descriptor is ready or watched: bits of epoll.
extern const uint32_t sys_readable;
extern const uint32_t sys_writable;
// Error or hang-up.
extern const uint32_t sys_broken;

// Creates an epoll set; returns -1 with errno on failure.
int sys_set_create(void);

// Adds, changes or removes (`interest` 0) a watched descriptor. `known`: it is already in the set.
// Returns 0 or an errno.
int sys_watch(int set, int descriptor, uint32_t interest, int known, uint64_t tag);

// Waits for at most `nanoseconds` (negative: forever). Returns the number of events, or -errno.
// A kernel before 5.11 has no epoll_pwait2: there the wait is rounded up to whole milliseconds.
int sys_wait(int set, void *events, int room, int64_t nanoseconds);

// The events of a wait need memory of `room` times this size.
size_t sys_event_size(void);
uint32_t sys_event_readiness(const void *events, int index);
uint64_t sys_event_tag(const void *events, int index);

// Creates an eventfd; returns -1 with errno on failure. Any thread may ring it; one thread waits for it.
int sys_bell_create(void);
void sys_bell_ring(int bell);
void sys_bell_hear(int bell);

// Reduces the lateness of a wait after its deadline to one microsecond, from the default of fifty.
void sys_sharpen_timers(void);

// The name has at most 15 bytes.
void sys_name_thread(const char *name);
/* The calling thread's number in /proc/self/task. */
int sys_thread_number(void);

// CLOCK_MONOTONIC plus the time that the calling thread has skipped, in nanoseconds.
int64_t sys_monotonic(void);
// Advances the calling thread's monotonic clock.
void sys_skip(int64_t nanoseconds);
// CLOCK_THREAD_CPUTIME_ID of the calling thread, in nanoseconds.
int64_t sys_thread_cpu(void);

// Raises the limit of open files to the hard limit; returns the new limit.
uint64_t sys_raise_file_limit(void);

// The current limit of open files.
uint64_t sys_file_limit(void);

// The peak resident memory of the process, in bytes.
int64_t sys_peak_memory(void);

// Returns 1 if a connection may have this descriptor. The last sixteen are reserved for the runtime, whose timers end
// the process if they get none (libdispatch, timerfd).
int sys_leaves_spare(int descriptor);

// Creates a non-blocking TCP socket without Nagle's delay, or returns -errno. EMFILE also if only spare descriptors are
// left.
int sys_tcp_socket(int family);
// Each returns the result of the system call of that name, or -errno. Sending raises no signal.
long sys_send(int socket, const void *bytes, size_t count);
long sys_receive(int socket, void *bytes, size_t room);
// Returns 1 if nothing is waiting to be received: no byte, no end of the stream, no error.
int sys_is_silent(int socket);
// On this thread, a write to a closed connection then only fails: OpenSSL writes without `MSG_NOSIGNAL`.
void sys_block_broken_pipes(void);
int sys_connect(int socket, const void *address, size_t length);
int sys_bind(int socket, const void *address, size_t length);
// The error with which connecting ended; 0 if the socket is connected.
int sys_socket_error(int socket);

// The commit that `make dist` built; empty for any other build.
const char *sys_build_commit(void);

// The notes of a crashing process: created while it runs, written by the handler of the fatal signal.
typedef void *sys_notes;
sys_notes sys_notes_create(void);
// The steps run in their order, streams last. A file replaces an existing one, and is removed if it cannot be written.
void sys_notes_folder(sys_notes notes, const char *path);
void sys_notes_file(sys_notes notes, const char *path);
void sys_notes_removal(sys_notes notes, const char *path);
void sys_notes_stream(sys_notes notes, int descriptor);
// Adds a part to the text of the last added file or stream. Between two parts the handler writes the signal's name.
void sys_notes_part(sys_notes notes, const char *bytes, size_t length);
// From now on a fatal signal of any thread writes these notes instead of earlier ones, and ends the process.
void sys_notes_arm(sys_notes notes, int status);
// If notes are armed: gives the calling thread a separate stack for handlers, for the case of a stack overflow.
void sys_crash_stack(void);
