// What Linux offers and Glibc's Swift module leaves out: epoll with nanosecond deadlines, eventfd and the
// timer slack of a thread. No system header is included: with _GNU_SOURCE they clash with Swift's Glibc.
#pragma once

#include <stddef.h>
#include <stdint.h>

// What a descriptor is ready for, or watched for: bits of epoll.
extern const uint32_t sys_readable;
extern const uint32_t sys_writable;
// Error or hang-up.
extern const uint32_t sys_broken;

// A new epoll set, or -1 with errno.
int sys_set_create(void);

// Adds, changes or removes (`interest` 0) a watched descriptor. `known`: it is in the set already.
// Returns 0 or an errno.
int sys_watch(int set, int descriptor, uint32_t interest, int known, uint64_t tag);

// Waits for at most `nanoseconds` (negative: for ever). Returns the number of events, or -errno.
// A kernel before 5.11 has no epoll_pwait2: there the wait is rounded up to whole milliseconds.
int sys_wait(int set, void *events, int room, int64_t nanoseconds);

// The events of a wait lie in memory of `room` times this size.
size_t sys_event_size(void);
uint32_t sys_event_readiness(const void *events, int index);
uint64_t sys_event_tag(const void *events, int index);

// An eventfd, or -1 with errno; any thread may ring it, one hears it.
int sys_bell_create(void);
void sys_bell_ring(int bell);
void sys_bell_hear(int bell);

// A wait then ends within a microsecond of its deadline, and not within the default fifty.
void sys_sharpen_timers(void);

// At most 15 bytes.
void sys_name_thread(const char *name);
/* The calling thread's number in /proc/self/task. */
int sys_thread_number(void);

// CLOCK_MONOTONIC and what the calling thread has skipped, nanoseconds.
int64_t sys_monotonic(void);
// Puts the calling thread's monotonic clock forward.
void sys_skip(int64_t nanoseconds);
// CLOCK_THREAD_CPUTIME_ID of the calling thread, nanoseconds.
int64_t sys_thread_cpu(void);

// Raises the limit of open files to the hard limit; returns the limit that holds then.
uint64_t sys_raise_file_limit(void);

// The limit of open files that holds now.
uint64_t sys_file_limit(void);

// The most memory that the process ever had resident, in bytes.
int64_t sys_peak_memory(void);

// Whether a connection may have this descriptor: the last sixteen are left to the runtime, whose timers end the process
// when they get none (libdispatch, timerfd).
int sys_leaves_spare(int descriptor);

// A TCP socket that never blocks, without Nagle's delay; or -errno, EMFILE also where only spare descriptors are left.
int sys_tcp_socket(int family);
// Each returns what the call of that name does, or -errno. Sending raises no signal.
long sys_send(int socket, const void *bytes, size_t count);
long sys_receive(int socket, void *bytes, size_t room);
// Whether nothing has come that is not received yet: no byte, no end of the stream, no error.
int sys_is_silent(int socket);
int sys_connect(int socket, const void *address, size_t length);
int sys_bind(int socket, const void *address, size_t length);
// The error that a connecting socket ended with; 0 when it is connected.
int sys_socket_error(int socket);

// The commit that `make dist` built; empty for any other build.
const char *sys_build_commit(void);

// What a process that crashes leaves behind: made while it runs, written by the handler of the fatal signal.
typedef void *sys_notes;
sys_notes sys_notes_create(void);
// Each is done in its order, streams last. A file replaces one of that name, which is removed if it cannot be written.
void sys_notes_folder(sys_notes notes, const char *path);
void sys_notes_file(sys_notes notes, const char *path);
void sys_notes_removal(sys_notes notes, const char *path);
void sys_notes_stream(sys_notes notes, int descriptor);
// A part of the text of the file or stream that was added last. Between two parts the handler writes the signal's name.
void sys_notes_part(sys_notes notes, const char *bytes, size_t length);
// From now on a fatal signal of any thread writes the notes, in place of earlier ones, and ends the process.
void sys_notes_arm(sys_notes notes, int status);
// Where notes are armed: gives the calling thread a stack for handlers, so that they run also where its own is used up.
void sys_crash_stack(void);
