cudaMalloc((void**)&p->x[1], 4);
#include "a.h"
#include <b>
1 <<<1, 2>>>(x);
__managed__ int x;
f<<<