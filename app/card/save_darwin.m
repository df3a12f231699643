/* Bytes that the detail describes can be saved, to look at before deciding. The
 * dialog takes the keys from the card, so the card is armed anew afterwards. */
#import "parts_darwin.h"

#include "_cgo_export.h"

@implementation CountersignCard (Save)

- (void)offerSave:(int)line {
    if (!save) return;
    int count = countersignMacBinaries(identity, line);
    [saveChoice removeAllItems];
    for (int i = 1; i <= count; i++) [saveChoice addItemWithTitle:[NSString stringWithFormat:@"binary %d", i]];
    [saveChoice setEnabled:count > 1];
    [save setEnabled:count > 0];
    [saveNote setStringValue:@""];
}

- (void)onSave:(id)sender {
    (void)sender;
    int line = (int)[list selectedRow], index = (int)[saveChoice indexOfSelectedItem];
    if (!armed || done || index < 0 || index >= countersignMacBinaries(identity, line)) return;
    NSSavePanel *where = [NSSavePanel savePanel];
    [where setTitle:@"Save to look at"];
    [where setNameFieldStringValue:card_take(countersignMacSaveName(identity, line, index))];
    [self retain]; /* the card may go while the dialog is open */
    NSInteger chosen = [where runModal];
    if (chosen == NSModalResponseOK && !done)
        [saveNote setStringValue:card_take(countersignMacSave(identity, line, index, (char *)[[[where URL] path] UTF8String]))];
    [self release];
}

@end
