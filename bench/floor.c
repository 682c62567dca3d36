/* The floor of any check: starts, opens, reads and closes each file that its argument file lists, one a line.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int read_whole(const char* path) {
  char buffer[65536];
  ssize_t got;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  while ((got = read(file, buffer, sizeof buffer)) > 0) {
  }
  close(file);
  return got < 0 ? -1 : 0;
}

int main(int argc, char** argv) {
  char line[4096];
  FILE* list;
  if (argc != 2 || (list = fopen(argv[1], "r")) == NULL) {
    fputs("usage: floor FILE-OF-PATHS\n", stderr);
    return 64;
  }
  while (fgets(line, sizeof line, list) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    if (read_whole(line) != 0) {
      perror(line);
      return 1;
    }
  }
  fclose(list);
  return 0;
}
