/* A window in place of the app's, and in place of Go: three calls, whose boxes are
 * ticked or not. What the panel reports is printed, a line each. */
#import "gnustep.h"

#include "_cgo_export.h"
#include "window_darwin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 3

static int ticks[CALLS] = {1, 1, 1};

@implementation NSObject (Lacking)
- (void)setAccessibilityLabel:(NSString *)label { (void)label; }
- (void)setAutomaticLinkDetectionEnabled:(BOOL)is { (void)is; }
- (void)setAllowsTypeSelect:(BOOL)is { (void)is; }
@end

static int total(void) { return ticks[0] + ticks[1] + ticks[2]; }

static char *format(const char *pattern, int number) {
    char text[200];
    snprintf(text, sizeof text, pattern, number);
    return strdup(text);
}

int countersignMacWanted(uint64_t id) { return id == 7; }
void countersignMacShown(uint64_t id) { (void)id, puts("shown"); }
void countersignMacFailed(uint64_t id, char *why) { (void)id, printf("failed: %s\n", why); }
void countersignMacArmed(uint64_t id, int armed) { (void)id, puts(armed ? "armed" : "disarmed"); }
int countersignMacLines(uint64_t id) { return (void)id, CALLS; }
int countersignMacTotal(uint64_t id) { return (void)id, total(); }
int countersignMacBinaries(uint64_t id, int line) { return (void)id, (void)line, 0; }
char *countersignMacSaveName(uint64_t id, int line, int index) { return (void)id, (void)line, (void)index, NULL; }
char *countersignMacSave(uint64_t id, int line, int index, char *path) { return (void)id, (void)line, (void)index, (void)path, NULL; }
void countersignMacFilter(uint64_t id, char *text) { (void)id, printf("filter: %s\n", text); }

char *countersignMacText(uint64_t id, int what) {
    (void)id;
    static const char *texts[] = {
        [TEXT_WINDOW] = "Cancel 3 orders? – Countersign", [TEXT_TITLE] = "Cancel 3 orders?", [TEXT_REQUEST] = "Cancel them.",
        [TEXT_WARNING] = "", [TEXT_NOTE] = "", [TEXT_FILTER_NOTE] = "", [TEXT_ENTER] = "Enter runs nothing.",
    };
    if (what == TEXT_ENTER) puts("enter");
    return what == TEXT_RUN ? format("Run %d selected", total()) : strdup(texts[what]);
}

char *countersignMacCell(uint64_t id, int line, int what, int columns) {
    (void)id, (void)columns;
    if (line < 0 || line >= CALLS) return NULL;
    return what == CELL_CALL ? format("%d", line + 2) : what == LINE_DETAIL ? format("{\n  \"id\": %d\n}", line) : format("order %d", line);
}

int countersignMacTicked(uint64_t id, int line) {
    (void)id;
    return line >= 0 ? ticks[line] : total() == 0 ? 0 : total() == CALLS ? 1 : -1;
}

void countersignMacToggle(uint64_t id, int line) {
    int on = countersignMacTicked(id, -1) != 1;
    for (int i = 0; line < 0 && i < CALLS; i++) ticks[i] = on;
    if (line >= 0) ticks[line] = !ticks[line];
}

void countersignMacAnswered(uint64_t id, int how, char *reason, int width, int height) {
    (void)id, (void)width, (void)height;
    printf("answered %d, ticked %d%d%d, “%s”\n", how, ticks[0], ticks[1], ticks[2], reason);
    exit(0);
}

@interface Host : NSObject
@end

@implementation Host
- (void)applicationDidFinishLaunching:(NSNotification *)notification {
    (void)notification;
    NSWindow *window = [[NSWindow alloc] initWithContentRect:NSMakeRect(60, 40, 1000, 640)
                                                   styleMask:NSWindowStyleMaskTitled | NSWindowStyleMaskClosable
                                                     backing:NSBackingStoreBuffered
                                                       defer:NO];
    [window setTitle:@"Countersign"];
    [window makeKeyAndOrderFront:nil];
    [NSApp activateIgnoringOtherApps:YES];
    [self performSelector:@selector(show) withObject:nil afterDelay:1];
}
- (void)show { card_post_show(7, 1, 0, 0, 0); }
@end

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
    [NSApplication sharedApplication];
    [NSApp setDelegate:(id)[[Host alloc] init]];
    [NSApp run];
    [pool release];
    return 0;
}
