/* Preloaded into a process, fails calls on the database with EIO for as long as a control file says so: "r" reads,
 * "w" writes, "s" syncs; a number after the letters lets so many such calls through first, counted anew each time that
 * the file has been away. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

typedef ssize_t (*read_call)(int, void *, size_t);
typedef ssize_t (*write_call)(int, const void *, size_t);
typedef ssize_t (*pread_call)(int, void *, size_t, off64_t);
typedef ssize_t (*pwrite_call)(int, const void *, size_t, off64_t);
typedef int (*sync_call)(int);

static int passed = 0;

/* The real call, looked up once. */
#define REAL(type, name) \
  static type real = 0;  \
  if (!real) real = (type)dlsym(RTLD_NEXT, #name)

static int is_database(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, "waymark.db") != 0;
}

static int fails(int file, char kind) {
  const char *control = getenv("WAYMARK_TEST_FAULT");
  if (!control || file < 3 || !is_database(file)) return 0;
  if (access(control, R_OK) != 0) {
    passed = 0;
    return 0;
  }
  char text[64] = {0};
  int opened = open(control, O_RDONLY);
  if (opened < 0) return 0;
  REAL(read_call, read);
  if (real(opened, text, sizeof text - 1) < 0) text[0] = 0;
  close(opened);
  char *number = text + strcspn(text, "0123456789");
  int let_through = atoi(number);
  *number = 0;
  if (!strchr(text, kind)) return 0;
  return passed++ >= let_through;
}

static int broken(void) {
  errno = EIO;
  return -1;
}

ssize_t read(int file, void *bytes, size_t count) {
  REAL(read_call, read);
  return fails(file, 'r') ? broken() : real(file, bytes, count);
}

ssize_t write(int file, const void *bytes, size_t count) {
  REAL(write_call, write);
  return fails(file, 'w') ? broken() : real(file, bytes, count);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t at) {
  REAL(pread_call, pread64);
  return fails(file, 'r') ? broken() : real(file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  REAL(pwrite_call, pwrite64);
  return fails(file, 'w') ? broken() : real(file, bytes, count, at);
}

int fsync(int file) {
  REAL(sync_call, fsync);
  return fails(file, 's') ? broken() : real(file);
}

int fdatasync(int file) {
  REAL(sync_call, fdatasync);
  return fails(file, 's') ? broken() : real(file);
}
