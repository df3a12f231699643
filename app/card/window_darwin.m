/*
 * The card as an NSPanel on the main loop that Wails runs: it is shown, it answers
 * once, and it goes. Every way in which it can go without an answer is
 * CARD_CLOSED. Not yet built on a Mac. When a press counts is in arming_darwin.m.
 */
#import "parts_darwin.h"

#include "_cgo_export.h"

#include <stdlib.h>

static NSMutableDictionary *openCards; /* NSNumber id → Card; main thread only */

NSString *card_take(char *text) {
    NSString *string = text ? [NSString stringWithUTF8String:text] : nil;
    free(text);
    return string ? string : @"";
}

@implementation CountersignPanel
- (BOOL)canBecomeKeyWindow { return YES; }
- (void)sendEvent:(NSEvent *)event {
    if (![card sift:event]) [super sendEvent:event];
}
- (void)cancelOperation:(id)sender { /* Escape has been sifted */
    (void)sender;
}
@end

@implementation CountersignCard

/* finish answers once and takes the panel away. */
- (void)finish:(int)how {
    if (done) return;
    done = YES;
    [NSObject cancelPreviousPerformRequestsWithTarget:self];
    NSString *why = [[[reason stringValue] copy] autorelease];
    NSSize size = [[panel contentView] frame].size;
    if (NSEqualSizes(size, opened)) size = NSZeroSize; /* as it came */
    [[panel parentWindow] removeChildWindow:panel];
    [list setDataSource:nil];
    [list setDelegate:nil];
    [panel setDelegate:nil];
    [panel orderOut:nil];
    countersignMacAnswered(identity, how, (char *)[why UTF8String], (int)size.width, (int)size.height);
    [[self retain] autorelease]; /* we may be inside a message of ours */
    [openCards removeObjectForKey:[NSNumber numberWithUnsignedLongLong:identity]];
}

- (BOOL)windowShouldClose:(id)sender {
    (void)sender;
    [self finish:CARD_CLOSED];
    return NO;
}

- (void)dealloc {
    panel->card = nil;
    [panel close];
    [super dealloc];
}

@end

/* ── from Go ────────────────────────────────────────────────────────── */

/* A wish travels to the main thread as an object. */
@interface CountersignWish : NSObject {
  @public
    uint64_t identity;
    int filter, binaries, width, height;
}
- (void)show;
- (void)close;
@end

@implementation CountersignWish

/* The window that the card belongs to: the app's own. */
static NSWindow *appWindow(void) {
    for (NSWindow *window in [NSApp windows])
        if ([window isVisible] && ![window isKindOfClass:[NSPanel class]] && [window parentWindow] == nil) return window;
    return nil;
}

- (void)show {
    [self autorelease];
    if (!countersignMacWanted(identity)) return;
    NSWindow *parent = appWindow();
    if (!parent) {
        countersignMacFailed(identity, "the app has no open window to show it on");
        return;
    }
    if (!openCards) openCards = [[NSMutableDictionary alloc] init];
    CountersignCard *card = [[[CountersignCard alloc] init] autorelease];
    card->identity = identity;
    NSRect screen = [[parent screen] visibleFrame], over = [parent frame];
    CGFloat wide = MIN(width > 0 ? width : 860, NSWidth(screen)), high = MIN(height > 0 ? height : 620, NSHeight(screen) - 30);
    NSRect frame = NSMakeRect(NSMidX(over) - wide / 2, NSMidY(over) - high / 2, wide, high);
    frame.origin.x = MIN(MAX(NSMinX(frame), NSMinX(screen)), NSMaxX(screen) - wide);
    frame.origin.y = MIN(MAX(NSMinY(frame), NSMinY(screen)), NSMaxY(screen) - high);
    card->panel = [[CountersignPanel alloc] initWithContentRect:frame
                                                      styleMask:NSWindowStyleMaskTitled | NSWindowStyleMaskClosable | NSWindowStyleMaskResizable
                                                        backing:NSBackingStoreBuffered
                                                          defer:NO];
    CountersignPanel *panel = card->panel; /* dealloc closes it, which releases it */
    panel->card = card;
    [panel setReleasedWhenClosed:YES];
    [panel setHidesOnDeactivate:NO];
    [panel setFloatingPanel:YES];
    [panel setBecomesKeyOnlyIfNeeded:NO];
    [panel setTitle:card_take(countersignMacText(identity, TEXT_WINDOW))];
    [panel setContentView:[[[CountersignContent alloc] initWithFrame:NSMakeRect(0, 0, wide, high)] autorelease]];
    [panel setContentMinSize:NSMakeSize(600, 440)];
    [card build:filter != 0 binaries:binaries > 0];
    card->opened = [[panel contentView] frame].size;
    [panel setDelegate:card];
    [openCards setObject:card forKey:[NSNumber numberWithUnsignedLongLong:identity]];
    card->away = ![NSApp isActive] || [parent isMiniaturized];
    [parent addChildWindow:panel ordered:NSWindowAbove]; /* never behind the app's window */
    if (card->away) {
        [panel orderFront:nil]; /* it must not take the keys that are typed elsewhere */
        [NSApp requestUserAttention:NSCriticalRequest];
    } else {
        [panel makeKeyAndOrderFront:nil];
    }
    [panel makeFirstResponder:card->reject];
    [card armLater];
    countersignMacShown(identity);
}

- (void)close {
    [self autorelease];
    CountersignCard *card = [openCards objectForKey:[NSNumber numberWithUnsignedLongLong:identity]];
    [card finish:CARD_CLOSED];
}

@end

static void post(uint64_t identity, SEL what, int filter, int binaries, int width, int height) {
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
    CountersignWish *wish = [[CountersignWish alloc] init]; /* which releases itself */
    wish->identity = identity;
    wish->filter = filter, wish->binaries = binaries, wish->width = width, wish->height = height;
    [wish performSelectorOnMainThread:what withObject:nil waitUntilDone:NO];
    [pool release];
}

void card_post_show(uint64_t id, int filter, int binaries, int width, int height) { post(id, @selector(show), filter, binaries, width, height); }

void card_post_close(uint64_t id) { post(id, @selector(close), 0, 0, 0, 0); }
