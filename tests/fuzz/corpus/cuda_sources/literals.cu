const char* s = R"x(f<<<1>>>)x" "\"<<<" u8"a"; // f<<<\
 b
/* c */ #if
#ifdef A
void f() {
#else
void g() {
#endif
asm volatile("x" : "=r"(y)); }
