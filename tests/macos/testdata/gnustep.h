/* What GNUstep calls otherwise, and what it lacks. */
#import <Cocoa/Cocoa.h>

#define NSBezelStyleRounded NSRoundedBezelStyle
#define NSButtonTypeSwitch NSSwitchButton
#define NSEventTypeLeftMouseDown NSLeftMouseDown
#define NSEventTypeKeyDown NSKeyDown
#define NSEventTypeKeyUp NSKeyUp
#define NSEventModifierFlagCommand NSCommandKeyMask
#define NSEventModifierFlagShift NSShiftKeyMask

@interface NSObject (Lacking)
- (void)setAccessibilityLabel:(NSString *)label;
- (void)setAutomaticLinkDetectionEnabled:(BOOL)is;
- (void)setAllowsTypeSelect:(BOOL)is;
@end
