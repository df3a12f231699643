/*
 * When a press counts; the same rules as in arming_linux.c:
 *  1. Only a press that began while the buttons were armed: press and click are
 *     both checked.
 *  2. Buttons are armed 700 ms after the card is shown or becomes key again.
 *  3. Enter never approves: it is swallowed everywhere but on the reject button.
 *  4. A card that came while the person was elsewhere is not armed before it has
 *     been key.
 *  5. A key that is held down since before the card came does nothing.
 *  6. A person who is typing when the card comes is let finish.
 */
#import "parts_darwin.h"

#include "_cgo_export.h"

static const NSTimeInterval armAfter = 0.7;

enum { KEY_RETURN = 36, KEY_TAB = 48, KEY_SPACE = 49, KEY_ESCAPE = 53, KEY_ENTER = 76 };

@implementation CountersignCard (Arming)

- (void)showArmed:(BOOL)is {
    armed = is;
    countersignMacArmed(identity, is ? 1 : 0);
    [note setStringValue:is ? card_take(countersignMacText(identity, TEXT_NOTE)) : @"The buttons wait for a moment."];
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
            [note setStringValue:card_take(countersignMacText(identity, TEXT_ENTER))];
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

- (void)onReject:(id)sender {
    (void)sender;
    if (armed) [self finish:CARD_REJECT];
}

- (void)onRun:(id)sender {
    (void)sender;
    if (armed && countersignMacTotal(identity) > 0) [self finish:CARD_RUN];
}

@end
