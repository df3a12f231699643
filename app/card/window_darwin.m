/*
 * The card as an NSPanel on the main loop that Wails runs: it is shown, it answers
 * once, and it goes. Every way in which it can go without an answer is
 * CARD_CLOSED. Not yet built on a Mac. When a press counts:
 *  1. Only a press that began while the buttons were armed: press and click are
 *     both checked.
 *  2. Buttons are armed 700 ms after the card is shown or becomes key again.
 *  3. Enter never approves: it is swallowed everywhere but on the reject button.
 *  4. A card that came while the person was elsewhere is not armed before it has
 *     been key.
 *  5. A key that is held down since before the card came does nothing.
 *  6. A person who is typing when the card comes is let finish.
 */
#import <Cocoa/Cocoa.h>

#include "_cgo_export.h"
#include "window_darwin.h"

#include <stdlib.h>

static const NSTimeInterval armAfter = 0.7;
static const CGFloat margin = 18, gap = 8, buttonHeight = 32, lineHeight = 18;

enum { KEY_RETURN = 36, KEY_TAB = 48, KEY_SPACE = 49, KEY_ESCAPE = 53, KEY_ENTER = 76 };

static NSMutableDictionary *openCards; /* NSNumber id → Card; main thread only */

/* take makes a string of a text that Go made for C to free. */
static NSString *take(char *text) {
    NSString *string = text ? [NSString stringWithUTF8String:text] : nil;
    free(text);
    return string ? string : @"";
}

/* A button that takes the keys whether or not the person lets Tab reach all. */
@interface CountersignButton : NSButton
@end

@implementation CountersignButton
- (BOOL)acceptsFirstResponder { return YES; }
- (BOOL)canBecomeKeyView { return YES; }
@end

@interface CountersignContent : NSView
@end

@implementation CountersignContent
- (BOOL)isFlipped { return YES; } /* from the top, as it is read */
@end

@class CountersignCard;

@interface CountersignPanel : NSPanel {
  @public
    CountersignCard *card;
}
@end

@interface CountersignCard : NSObject <NSWindowDelegate, NSTableViewDataSource, NSTableViewDelegate, NSTextFieldDelegate> {
  @public
    uint64_t identity;
    CountersignPanel *panel;
    NSTextField *title, *asked, *warning, *filter, *filterNote, *heading, *meta, *rowWarning, *saveNote, *reasonLabel, *reason, *note;
    NSTextView *request, *detail;
    NSScrollView *requestScroll, *listScroll, *detailScroll;
    NSTableView *list;
    CountersignButton *all, *save, *reject, *runs;
    NSPopUpButton *saveChoice;
    NSSize opened;
    int columns;
    BOOL armed, away, held, done;
}
- (void)build:(BOOL)withFilter binaries:(BOOL)withSave;
- (void)finish:(int)how;
- (void)armLater;
- (BOOL)sift:(NSEvent *)event;
- (void)layout;
- (void)showTicks;
- (void)showLine;
- (void)selectFirst;
- (void)offerSave:(int)line;
- (void)onAll:(id)sender;
- (void)onSave:(id)sender;
@end

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

/* ── the controls ───────────────────────────────────────────────────── */

- (NSTextField *)label:(NSString *)text font:(NSFont *)font {
    NSTextField *label = [[[NSTextField alloc] initWithFrame:NSZeroRect] autorelease];
    [label setStringValue:text]; /* a string, never attributed */
    [label setFont:font];
    [label setEditable:NO];
    [label setBezeled:NO];
    [label setBordered:NO];
    [label setDrawsBackground:NO];
    [label setSelectable:NO];
    [[label cell] setWraps:YES];
    [[panel contentView] addSubview:label];
    return label;
}

- (NSTextField *)field:(NSString *)name hint:(NSString *)hint {
    NSTextField *field = [[[NSTextField alloc] initWithFrame:NSZeroRect] autorelease];
    [[field cell] setPlaceholderString:hint];
    [[field cell] setScrollable:YES];
    [field setDelegate:self];
    [field setAccessibilityLabel:name];
    [[panel contentView] addSubview:field];
    return field;
}

- (CountersignButton *)button:(NSString *)text action:(SEL)action {
    CountersignButton *button = [[[CountersignButton alloc] initWithFrame:NSZeroRect] autorelease];
    [button setTitle:text];
    [button setBezelStyle:NSBezelStyleRounded];
    [button setTarget:self];
    [button setAction:action];
    [button setKeyEquivalent:@""]; /* Return belongs to no button */
    [[panel contentView] addSubview:button];
    return button;
}

- (NSTextView *)text:(NSString *)name font:(NSFont *)font in:(NSScrollView **)scroll {
    *scroll = [[[NSScrollView alloc] initWithFrame:NSMakeRect(0, 0, 100, 100)] autorelease];
    NSTextView *view = [[[NSTextView alloc] initWithFrame:NSMakeRect(0, 0, 100, 100)] autorelease];
    [view setRichText:NO];
    [view setImportsGraphics:NO];
    [view setEditable:NO];
    [view setSelectable:YES];
    [view setAutomaticLinkDetectionEnabled:NO];
    [view setFont:font];
    [view setVerticallyResizable:YES];
    [view setAutoresizingMask:NSViewWidthSizable];
    [view setAccessibilityLabel:name];
    [*scroll setBorderType:NSBezelBorder];
    [*scroll setHasVerticalScroller:YES];
    [*scroll setAutohidesScrollers:NO]; /* that there is more must be seen */
    [*scroll setDocumentView:view];
    [[panel contentView] addSubview:*scroll];
    return view;
}

- (void)column:(NSString *)identifier title:(NSString *)text width:(CGFloat)width box:(BOOL)box {
    NSTableColumn *column = [[[NSTableColumn alloc] initWithIdentifier:identifier] autorelease];
    [[column headerCell] setStringValue:text];
    [column setWidth:width];
    [column setEditable:box];
    if (box) {
        NSButtonCell *cell = [[[NSButtonCell alloc] init] autorelease];
        [cell setButtonType:NSButtonTypeSwitch];
        [cell setTitle:@""];
        [column setDataCell:cell];
    } else {
        [[column dataCell] setFont:[NSFont userFixedPitchFontOfSize:11]];
        [[column dataCell] setLineBreakMode:NSLineBreakByTruncatingTail];
    }
    [list addTableColumn:column];
}

- (void)build:(BOOL)withFilter binaries:(BOOL)withSave {
    NSFont *normal = [NSFont systemFontOfSize:13], *bold = [NSFont boldSystemFontOfSize:13], *small = [NSFont systemFontOfSize:11];
    NSFont *fixed = [NSFont userFixedPitchFontOfSize:12];
    title = [self label:take(countersignMacText(identity, TEXT_TITLE)) font:[NSFont boldSystemFontOfSize:17]];
    NSString *asks = take(countersignMacText(identity, TEXT_REQUEST));
    if ([asks length] > 0) {
        asked = [self label:@"You asked:" font:small];
        request = [self text:@"What you asked" font:normal in:&requestScroll];
        [request setString:asks];
    }
    NSString *warns = take(countersignMacText(identity, TEXT_WARNING));
    if ([warns length] > 0) warning = [self label:[@"⚠ " stringByAppendingString:warns] font:bold];
    all = [self button:@"All" action:@selector(onAll:)];
    [all setButtonType:NSButtonTypeSwitch];
    [all setAllowsMixedState:YES];
    [all setAccessibilityLabel:@"Select all or none"];
    if (withFilter) {
        filter = [self field:@"Show only calls that contain" hint:@"Show only calls that contain…"];
        filterNote = [self label:@"" font:small];
    }
    listScroll = [[[NSScrollView alloc] initWithFrame:NSMakeRect(0, 0, 100, 100)] autorelease];
    list = [[[NSTableView alloc] initWithFrame:NSMakeRect(0, 0, 100, 100)] autorelease];
    [self column:@"tick" title:@"" width:24 box:YES];
    [self column:@"call" title:@"Call" width:44 box:NO];
    [self column:@"function" title:@"Function" width:120 box:NO];
    [self column:@"summary" title:@"Input" width:220 box:NO];
    if (warning) [self column:@"warning" title:@"Note" width:60 box:NO];
    [list setAllowsMultipleSelection:NO];
    [list setAllowsEmptySelection:NO];
    [list setAllowsTypeSelect:NO]; /* it would take Space */
    [list setDataSource:self];
    [list setDelegate:self];
    [list setAccessibilityLabel:@"Calls that wait for you"];
    [listScroll setBorderType:NSBezelBorder];
    [listScroll setHasVerticalScroller:YES];
    [listScroll setAutohidesScrollers:NO];
    [listScroll setDocumentView:list];
    [[panel contentView] addSubview:listScroll];
    heading = [self label:@"" font:bold];
    meta = [self label:@"" font:small];
    rowWarning = [self label:@"" font:small];
    detail = [self text:@"Full input of the selected call" font:fixed in:&detailScroll];
    if (withSave) {
        saveChoice = [[[NSPopUpButton alloc] initWithFrame:NSZeroRect pullsDown:NO] autorelease];
        [saveChoice setAccessibilityLabel:@"Which binary"];
        [[panel contentView] addSubview:saveChoice];
        save = [self button:@"Save to look at…" action:@selector(onSave:)];
        saveNote = [self label:@"" font:small];
    }
    reasonLabel = [self label:@"Reason for rejecting" font:normal];
    reason = [self field:@"Reason for rejecting" hint:@"Optional; the program is told"];
    note = [self label:@"" font:normal];
    reject = [self button:@"Reject all" action:@selector(onReject:)];
    runs = [self button:@"" action:@selector(onRun:)];
    columns = 48;
    [list reloadData];
    [self showTicks];
    [self selectFirst];
}

/* ── where they are ─────────────────────────────────────────────────── */

static CGFloat heightOf(NSTextField *field, CGFloat width) {
    return ceil([[field cell] cellSizeForBounds:NSMakeRect(0, 0, width, 10000)].height);
}

- (void)layout {
    NSRect area = [[panel contentView] bounds];
    CGFloat left = margin, right = NSMaxX(area) - margin, width = right - left, y = margin, bottom = NSMaxY(area) - margin;

    CGFloat high = heightOf(title, width);
    [title setFrame:NSMakeRect(left, y, width, high)];
    y += high + gap;
    if (request) {
        [asked setFrame:NSMakeRect(left, y, width, lineHeight)];
        y += lineHeight;
        [requestScroll setFrame:NSMakeRect(left, y, width, 46)];
        y += 46 + gap;
    }
    if (warning) {
        high = heightOf(warning, width);
        [warning setFrame:NSMakeRect(left, y, width, high)];
        y += high + gap;
    }

    bottom -= buttonHeight;
    [runs sizeToFit];
    CGFloat runsWidth = MAX(120, NSWidth([runs frame]) + 16), rejectWidth = 120;
    [runs setFrame:NSMakeRect(right - runsWidth, bottom, runsWidth, buttonHeight)];
    [reject setFrame:NSMakeRect(right - runsWidth - gap - rejectWidth, bottom, rejectWidth, buttonHeight)];
    [note setFrame:NSMakeRect(left, bottom, width - runsWidth - rejectWidth - 2 * gap, buttonHeight)];
    bottom -= gap + 24;
    [reasonLabel setFrame:NSMakeRect(left, bottom + 2, 150, 22)];
    [reason setFrame:NSMakeRect(left + 154, bottom, width - 154, 24)];
    bottom -= gap;

    CGFloat middle = left + (width - gap) * 0.52, top = y;
    [all setFrame:NSMakeRect(left, y, 80, 20)];
    y += 24;
    if (filter) {
        [filter setFrame:NSMakeRect(left + 84, top - 2, middle - left - 84, 24)];
        high = heightOf(filterNote, middle - left);
        [filterNote setFrame:NSMakeRect(left, y, middle - left, high)];
        y += high + 4;
    }
    [listScroll setFrame:NSMakeRect(left, y, middle - left, MAX(60, bottom - y))];

    CGFloat from = middle + gap, rest = right - from;
    y = top;
    NSTextField *lines[] = {heading, meta, rowWarning};
    for (int i = 0; i < 3; i++) {
        high = [[lines[i] stringValue] length] > 0 ? heightOf(lines[i], rest) : 0;
        [lines[i] setFrame:NSMakeRect(from, y, rest, high)];
        y += high;
    }
    if (save) {
        bottom -= 2 * lineHeight;
        [saveNote setFrame:NSMakeRect(from, bottom, rest, 2 * lineHeight)];
        bottom -= 28;
        [saveChoice setFrame:NSMakeRect(from, bottom, 110, 26)];
        [save setFrame:NSMakeRect(from + 118, bottom, 150, 28)];
        bottom -= 4;
    }
    [detailScroll setFrame:NSMakeRect(from, y + 4, rest, MAX(60, bottom - y - 4))];

    CGFloat digit = [@"0000000000" sizeWithAttributes:[NSDictionary dictionaryWithObject:[detail font] forKey:NSFontAttributeName]].width / 10;
    int fits = digit > 0 ? (int)(([detailScroll contentSize].width - 12) / digit) : 48;
    if (fits != columns) {
        columns = fits;
        [self showLine];
    }
}

- (void)windowDidResize:(NSNotification *)notification {
    (void)notification;
    if (!done) [self layout];
}

/* ── the list ───────────────────────────────────────────────────────── */

- (NSInteger)numberOfRowsInTableView:(NSTableView *)table {
    (void)table;
    return countersignMacLines(identity);
}

- (id)tableView:(NSTableView *)table objectValueForTableColumn:(NSTableColumn *)column row:(NSInteger)row {
    (void)table;
    NSString *which = [column identifier];
    if ([which isEqual:@"tick"]) return [NSNumber numberWithInt:countersignMacTicked(identity, (int)row)];
    int cell = [which isEqual:@"call"] ? CELL_CALL : [which isEqual:@"function"] ? CELL_FUNCTION : [which isEqual:@"summary"] ? CELL_SUMMARY : CELL_WARNING;
    return take(countersignMacCell(identity, (int)row, cell, 0));
}

- (void)tableView:(NSTableView *)table setObjectValue:(id)value forTableColumn:(NSTableColumn *)column row:(NSInteger)row {
    (void)table, (void)column;
    if (done || [value intValue] == countersignMacTicked(identity, (int)row)) return;
    countersignMacToggle(identity, (int)row);
    [self showTicks];
}

- (void)tableView:(NSTableView *)table willDisplayCell:(id)cell forTableColumn:(NSTableColumn *)column row:(NSInteger)row {
    (void)table;
    if ([[column identifier] isEqual:@"tick"]) [cell setAccessibilityLabel:take(countersignMacCell(identity, (int)row, CELL_LABEL, 0))];
}

- (void)tableViewSelectionDidChange:(NSNotification *)notification {
    (void)notification;
    if (!done) [self showLine];
}

- (void)selectFirst {
    NSInteger count = [list numberOfRows];
    for (NSInteger row = 0; row < count; row++) {
        if ([take(countersignMacCell(identity, (int)row, CELL_CALL, 0)) length] == 0) continue; /* a heading */
        [list selectRowIndexes:[NSIndexSet indexSetWithIndex:row] byExtendingSelection:NO];
        break;
    }
    [self showLine];
}

- (void)showTicks {
    int state = countersignMacTicked(identity, -1);
    [all setState:state > 0 ? NSControlStateValueOn : state < 0 ? NSControlStateValueMixed : NSControlStateValueOff];
    [runs setTitle:take(countersignMacText(identity, TEXT_RUN))];
    [runs setEnabled:countersignMacTotal(identity) > 0];
    [note setStringValue:take(countersignMacText(identity, TEXT_NOTE))];
    if (filterNote) [filterNote setStringValue:take(countersignMacText(identity, TEXT_FILTER_NOTE))];
    [list setNeedsDisplay:YES];
    [self layout];
}

- (void)showLine {
    int line = (int)[list selectedRow];
    [heading setStringValue:take(countersignMacCell(identity, line, LINE_TOP, 0))];
    [meta setStringValue:take(countersignMacCell(identity, line, LINE_META, 0))];
    [rowWarning setStringValue:take(countersignMacCell(identity, line, LINE_WARNING, 0))];
    [detail setString:take(countersignMacCell(identity, line, LINE_DETAIL, columns))];
    [self offerSave:line];
    [self layout]; /* as high as the texts are now */
}

- (void)offerSave:(int)line {
    if (!save) return;
    int count = countersignMacBinaries(identity, line);
    [saveChoice removeAllItems];
    for (int i = 1; i <= count; i++) [saveChoice addItemWithTitle:[NSString stringWithFormat:@"binary %d", i]];
    [saveChoice setEnabled:count > 1];
    [save setEnabled:count > 0];
    [saveNote setStringValue:@""];
}

- (void)controlTextDidChange:(NSNotification *)notification {
    if (done || [notification object] != filter) return;
    countersignMacFilter(identity, (char *)[[filter stringValue] UTF8String]);
    [list reloadData];
    [self showTicks];
    [self selectFirst];
}

/* ── when a press counts ────────────────────────────────────────────── */

- (void)showArmed:(BOOL)is {
    armed = is;
    countersignMacArmed(identity, is ? 1 : 0);
    [note setStringValue:is ? take(countersignMacText(identity, TEXT_NOTE)) : @"The buttons wait for a moment."];
}

- (void)disarm {
    [NSObject cancelPreviousPerformRequestsWithTarget:self selector:@selector(arm) object:nil];
    held = NO; /* its release may go to another window */
    [self showArmed:NO];
}

- (void)armLater {
    [self disarm];
    [self performSelector:@selector(arm) withObject:nil afterDelay:armAfter];
}

- (void)arm {
    if (done || (away && ![panel isKeyWindow])) return; /* nobody has looked at it yet */
    [self showArmed:YES];
}

- (void)windowDidBecomeKey:(NSNotification *)notification {
    (void)notification;
    if (!done) [self armLater];
}

- (void)windowDidResignKey:(NSNotification *)notification {
    (void)notification;
    if (!done) [self disarm];
}

/* typing tells whether a field has the keys: its editor is then the responder. */
- (BOOL)typingIn:(NSTextField *)field { return field && [field currentEditor] != nil && [panel firstResponder] == [field currentEditor]; }

- (void)step:(BOOL)back {
    NSMutableArray *stops = [NSMutableArray arrayWithObject:all];
    if (filter) [stops addObject:filter];
    [stops addObject:list];
    [stops addObject:detail];
    if (save && [save isEnabled]) [stops addObject:save];
    [stops addObject:reason];
    [stops addObject:reject];
    if ([runs isEnabled]) [stops addObject:runs];
    NSResponder *now = [panel firstResponder];
    if ([self typingIn:reason]) now = reason;
    if ([self typingIn:filter]) now = filter;
    NSUInteger count = [stops count], at = [stops indexOfObject:now];
    NSUInteger next = at == NSNotFound ? count - 1 : (at + (back ? count - 1 : 1)) % count;
    [panel makeFirstResponder:[stops objectAtIndex:next]];
}

/* sift takes those presses that must not reach a control. */
- (BOOL)sift:(NSEvent *)event {
    if (done) return YES;
    NSEventType type = [event type];
    if (type == NSEventTypeLeftMouseDown) {
        NSView *under = [[panel contentView] hitTest:[event locationInWindow]];
        return !armed && (under == reject || under == runs || under == save);
    }
    if (type != NSEventTypeKeyDown && type != NSEventTypeKeyUp) return NO;
    unsigned short key = [event keyCode];
    BOOL enter = key == KEY_RETURN || key == KEY_ENTER, acts = enter || key == KEY_SPACE || key == KEY_ESCAPE;
    if (type == NSEventTypeKeyUp) {
        if (acts) held = NO;
        return NO;
    }
    NSUInteger flags = [event modifierFlags];
    if (flags & NSEventModifierFlagCommand) {
        NSString *letter = [event charactersIgnoringModifiers];
        if ([letter isEqual:@"f"] && filter) return [panel makeFirstResponder:filter];
        if ([letter isEqual:@"a"] && [panel firstResponder] == list) {
            [self onAll:nil];
            return YES;
        }
        return enter; /* no short cut runs anything */
    }
    if (key == KEY_TAB) {
        [self step:(flags & NSEventModifierFlagShift) != 0];
        return YES;
    }
    BOOL typing = [self typingIn:reason] || [self typingIn:filter];
    if (!acts || (key == KEY_SPACE && typing)) {
        if (!armed && !acts && [panel isKeyWindow]) [self armLater];
        return NO;
    }
    BOOL before = held || [event isARepeat];
    held = YES;
    if (before || !armed) return YES;
    if (key == KEY_ESCAPE && [self typingIn:filter] && [[filter stringValue] length] > 0) {
        [filter setStringValue:@""];
        [self controlTextDidChange:[NSNotification notificationWithName:NSControlTextDidChangeNotification object:filter]];
        return YES;
    }
    if (key == KEY_ESCAPE) {
        [self finish:CARD_CLOSED];
        return YES;
    }
    NSResponder *focus = [panel firstResponder];
    if (enter) {
        if (focus == reject) [self finish:CARD_REJECT];
        else if (focus == save) [self onSave:nil];
        else if (focus == runs) {
            [note setStringValue:take(countersignMacText(identity, TEXT_ENTER))];
            NSAccessibilityPostNotification(note, NSAccessibilityValueChangedNotification);
        }
        return YES;
    }
    if (focus == list) { /* Space */
        NSInteger row = [list selectedRow];
        if (row >= 0) countersignMacToggle(identity, (int)row);
        [self showTicks];
        return YES;
    }
    return NO; /* Space goes to the control that has the keys */
}

- (void)onAll:(id)sender {
    (void)sender;
    countersignMacToggle(identity, -1);
    [self showTicks];
}

- (void)onReject:(id)sender {
    (void)sender;
    if (armed) [self finish:CARD_REJECT];
}

- (void)onRun:(id)sender {
    (void)sender;
    if (armed && countersignMacTotal(identity) > 0) [self finish:CARD_RUN];
}

/* ── bytes, to look at ──────────────────────────────────────────────── */

- (void)onSave:(id)sender {
    (void)sender;
    int line = (int)[list selectedRow], index = (int)[saveChoice indexOfSelectedItem];
    if (!armed || done || index < 0 || index >= countersignMacBinaries(identity, line)) return;
    NSSavePanel *where = [NSSavePanel savePanel];
    [where setTitle:@"Save to look at"];
    [where setNameFieldStringValue:take(countersignMacSaveName(identity, line, index))];
    [self retain]; /* the card may go while the dialog is open */
    NSInteger chosen = [where runModal];
    if (chosen == NSModalResponseOK && !done)
        [saveNote setStringValue:take(countersignMacSave(identity, line, index, (char *)[[[where URL] path] UTF8String]))];
    [self release];
}

/* ── answering ──────────────────────────────────────────────────────── */

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
    [panel setTitle:take(countersignMacText(identity, TEXT_WINDOW))];
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
