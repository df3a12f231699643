/* What the parts of the card's panel share. All of it is used on the main thread
 * only. Not yet built on a Mac. */
#ifndef COUNTERSIGN_CARD_PARTS_DARWIN_H
#define COUNTERSIGN_CARD_PARTS_DARWIN_H

#import <Cocoa/Cocoa.h>

#include "window_darwin.h"

/* card_take makes a string of a text that Go made for C to free. */
NSString *card_take(char *text);

/* A button that takes the keys whether or not the person lets Tab reach all. */
@interface CountersignButton : NSButton
@end

/* From the top, as it is read. */
@interface CountersignContent : NSView
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
- (void)finish:(int)how;
@end

/* build_darwin.m: the controls, and where they are */
@interface CountersignCard (Build)
- (void)build:(BOOL)withFilter binaries:(BOOL)withSave;
- (void)layout;
@end

/* rows_darwin.m: the list of calls, and the call that is looked at */
@interface CountersignCard (Rows)
- (void)showTicks;
- (void)showLine;
- (void)selectFirst;
- (void)onAll:(id)sender;
@end

/* save_darwin.m: bytes of an input, to look at */
@interface CountersignCard (Save)
- (void)offerSave:(int)line;
- (void)onSave:(id)sender;
@end

/* arming_darwin.m: when a press counts */
@interface CountersignCard (Arming)
- (void)armLater;
- (BOOL)sift:(NSEvent *)event;
- (void)onReject:(id)sender;
- (void)onRun:(id)sender;
@end

#endif
