/* bcryptprimitives.dll, which Go's runtime takes its randomness from, is missing
 * in the Wine of Debian 12. This stands in for it in the tests' own Wine prefix. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T count) { return SystemFunction036(to, (ULONG)count); }
