/* The list of calls: boxes that always show what would run. */
#import "parts_darwin.h"

#include "_cgo_export.h"

@implementation CountersignCard (Rows)

- (NSInteger)numberOfRowsInTableView:(NSTableView *)table {
    (void)table;
    return countersignMacLines(identity);
}

- (id)tableView:(NSTableView *)table objectValueForTableColumn:(NSTableColumn *)column row:(NSInteger)row {
    (void)table;
    NSString *which = [column identifier];
    if ([which isEqual:@"tick"]) return [NSNumber numberWithInt:countersignMacTicked(identity, (int)row)];
    int cell = [which isEqual:@"call"] ? CELL_CALL : [which isEqual:@"function"] ? CELL_FUNCTION : [which isEqual:@"summary"] ? CELL_SUMMARY : CELL_WARNING;
    return card_take(countersignMacCell(identity, (int)row, cell, 0));
}

- (void)tableView:(NSTableView *)table setObjectValue:(id)value forTableColumn:(NSTableColumn *)column row:(NSInteger)row {
    (void)table, (void)column;
    if (done || [value intValue] == countersignMacTicked(identity, (int)row)) return;
    countersignMacToggle(identity, (int)row);
    [self showTicks];
}

- (void)tableView:(NSTableView *)table willDisplayCell:(id)cell forTableColumn:(NSTableColumn *)column row:(NSInteger)row {
    (void)table;
    if ([[column identifier] isEqual:@"tick"]) [cell setAccessibilityLabel:card_take(countersignMacCell(identity, (int)row, CELL_LABEL, 0))];
}

- (void)tableViewSelectionDidChange:(NSNotification *)notification {
    (void)notification;
    if (!done) [self showLine];
}

- (void)selectFirst {
    NSInteger count = [list numberOfRows];
    for (NSInteger row = 0; row < count; row++) {
        if ([card_take(countersignMacCell(identity, (int)row, CELL_CALL, 0)) length] == 0) continue; /* a heading */
        [list selectRowIndexes:[NSIndexSet indexSetWithIndex:row] byExtendingSelection:NO];
        break;
    }
    [self showLine];
}

- (void)showTicks {
    int state = countersignMacTicked(identity, -1);
    [all setState:state > 0 ? NSControlStateValueOn : state < 0 ? NSControlStateValueMixed : NSControlStateValueOff];
    [runs setTitle:card_take(countersignMacText(identity, TEXT_RUN))];
    [runs setEnabled:countersignMacTotal(identity) > 0];
    [note setStringValue:card_take(countersignMacText(identity, TEXT_NOTE))];
    if (filterNote) [filterNote setStringValue:card_take(countersignMacText(identity, TEXT_FILTER_NOTE))];
    [list setNeedsDisplay:YES];
    [self layout];
}

- (void)showLine {
    int line = (int)[list selectedRow];
    [heading setStringValue:card_take(countersignMacCell(identity, line, LINE_TOP, 0))];
    [meta setStringValue:card_take(countersignMacCell(identity, line, LINE_META, 0))];
    [rowWarning setStringValue:card_take(countersignMacCell(identity, line, LINE_WARNING, 0))];
    [detail setString:card_take(countersignMacCell(identity, line, LINE_DETAIL, columns))];
    [self offerSave:line];
    [self layout]; /* as high as the texts are now */
}

- (void)controlTextDidChange:(NSNotification *)notification {
    if (done || [notification object] != filter) return;
    countersignMacFilter(identity, (char *)[[filter stringValue] UTF8String]);
    [list reloadData];
    [self showTicks];
    [self selectFirst];
}

- (void)onAll:(id)sender {
    (void)sender;
    countersignMacToggle(identity, -1);
    [self showTicks];
}

@end
