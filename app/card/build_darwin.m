/* The controls of the card, and where they are. Text is set as strings, never
 * attributed. */
#import "parts_darwin.h"

#include "_cgo_export.h"

static const CGFloat margin = 18, gap = 8, buttonHeight = 32, lineHeight = 18;

@implementation CountersignButton
- (BOOL)acceptsFirstResponder { return YES; }
- (BOOL)canBecomeKeyView { return YES; }
@end

@implementation CountersignContent
- (BOOL)isFlipped { return YES; } /* from the top, as it is read */
@end

static CGFloat heightOf(NSTextField *field, CGFloat width) {
    return ceil([[field cell] cellSizeForBounds:NSMakeRect(0, 0, width, 10000)].height);
}

@implementation CountersignCard (Build)

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
    title = [self label:card_take(countersignMacText(identity, TEXT_TITLE)) font:[NSFont boldSystemFontOfSize:17]];
    NSString *asks = card_take(countersignMacText(identity, TEXT_REQUEST));
    if ([asks length] > 0) {
        asked = [self label:@"You asked:" font:small];
        request = [self text:@"What you asked" font:normal in:&requestScroll];
        [request setString:asks];
    }
    NSString *warns = card_take(countersignMacText(identity, TEXT_WARNING));
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

@end
