/*
 * A terminal: runs the command line that follows its own name in a console that it
 * makes, without redirecting anything, and then writes to the file that its first
 * argument names what stands on the console's screen.
 */
#include <stdio.h>
#include <string.h>
#include <windows.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    char line[2048] = "";
    for (int i = 2; i < argc; i++) {
        strcat(line, argv[i]);
        strcat(line, " ");
    }
    FreeConsole();
    if (!AllocConsole()) return 3;
    HANDLE screen = CreateFileA("CONOUT$", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
    if (screen == INVALID_HANDLE_VALUE) return 4;
    /* Windows gives a program of the window kind no handles of its console; Wine would. */
    STARTUPINFOA how = {.cb = sizeof how, .dwFlags = STARTF_USESTDHANDLES};
    PROCESS_INFORMATION made;
    if (!CreateProcessA(NULL, line, NULL, NULL, FALSE, 0, NULL, NULL, &how, &made)) return 5;
    WaitForSingleObject(made.hProcess, 60000);
    DWORD code = 6;
    GetExitCodeProcess(made.hProcess, &code);
    FILE *out = fopen(argv[1], "wb");
    if (!out) return 7;
    for (SHORT y = 0; y < 20; y++) {
        char text[81] = "";
        DWORD read = 0;
        ReadConsoleOutputCharacterA(screen, text, 80, (COORD){0, y}, &read);
        fprintf(out, "%s\n", text);
    }
    fclose(out);
    return (int)code;
}
