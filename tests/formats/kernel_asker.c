// The init of a user-mode Linux that is asked how the kernel reads parameters: each line of /cases (they end
// in a NUL) is given to a module, whose arguments the kernel parses as it parses its own command line
// (kernel: parse_args). For each, /answers gets four fields that end in a NUL: errno of the load, the
// parameters backend and compress as sysfs shows them, and what the kernel logged.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kReadAndClear = 4, kClear = 5 };

static char image[1 << 22];
static char cases[1 << 20];
static char log_text[1 << 18];

static long read_whole(const char* path, char* into, long room) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  long length = 0;
  long got = 0;
  while (file >= 0 && length < room && (got = read(file, into + length, (size_t)(room - length))) > 0)
    length += got;
  if (file >= 0) close(file);
  return length;
}

static void answer(FILE* out, const char* bytes, long length) {
  if (length > 0) fwrite(bytes, 1, (size_t)length, out);
  fputc(0, out);
}

static void answer_file(FILE* out, const char* path) {
  static char bytes[8192];
  answer(out, bytes, read_whole(path, bytes, sizeof bytes));
}

int main(void) {
  mount("proc", "/proc", "proc", 0, 0);
  mount("sys", "/sys", "sysfs", 0, 0);
  FILE* out = fopen("/answers", "w");
  const long size = read_whole("/module.ko", image, sizeof image);
  const long all = read_whole("/cases", cases, sizeof cases);
  klogctl(kClear, log_text, sizeof log_text);
  for (const char* at = cases; out != NULL && at < cases + all; at += strlen(at) + 1) {
    const int error = syscall(SYS_init_module, image, size, at) == 0 ? 0 : errno;
    char number[16];
    answer(out, number, snprintf(number, sizeof number, "%d", error));
    answer_file(out, "/sys/module/pstore/parameters/backend");
    answer_file(out, "/sys/module/pstore/parameters/compress");
    if (error == 0) syscall(SYS_delete_module, "pstore", O_NONBLOCK);
    answer(out, log_text, klogctl(kReadAndClear, log_text, sizeof log_text));
  }
  if (out != NULL) fclose(out);
  sync();
  return reboot(RB_POWER_OFF);
}
