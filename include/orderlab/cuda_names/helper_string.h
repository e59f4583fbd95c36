// Reading a command line as CUDA's samples do: --NAME=VALUE or -NAME=VALUE.
#pragma once

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// NOLINTBEGIN(readability-identifier-naming): the names are those of CUDA's samples
/// Behind `-name`, `--name` or `--name=` where an argument is that; else null.
inline const char* orderlab_argument(int count, const char* const* arguments, const char* name) {
  for (int i = 1; i < count; ++i) {
    const char* text = arguments[i];
    while (*text == '-') ++text;
    const size_t length = strcspn(text, "=");
    if (text == arguments[i] || length != strlen(name) || strncasecmp(text, name, length) != 0) continue;
    return text[length] == '=' ? text + length + 1 : text + length;
  }
  return nullptr;
}
inline bool checkCmdLineFlag(int count, const char** arguments, const char* name) {
  return orderlab_argument(count, arguments, name) != nullptr;
}
inline int getCmdLineArgumentInt(int count, const char** arguments, const char* name) {
  const char* const text = orderlab_argument(count, arguments, name);
  return text == nullptr ? 0 : atoi(text);
}
inline float getCmdLineArgumentFloat(int count, const char** arguments, const char* name) {
  const char* const text = orderlab_argument(count, arguments, name);
  return text == nullptr ? 0 : static_cast<float>(atof(text));
}
inline bool getCmdLineArgumentString(int count, const char** arguments, const char* name, char** value) {
  *value = const_cast<char*>(orderlab_argument(count, arguments, name));
  return *value != nullptr;
}
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define STRNCASECMP strncasecmp
#define STRCASECMP strcasecmp
// NOLINTEND(readability-identifier-naming)
