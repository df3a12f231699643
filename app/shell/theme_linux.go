package shell

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>
#include <string.h>

enum { theme_system, theme_light, theme_dark };

// What the system says, before anybody chose.
static gboolean known, system_dark;
static gchar *system_name;

// GTK reads its theme anew for whatever is set, be it what it was: some 15 ms,
// while the page waits to be shown.
static void set_dark(GtkSettings *settings, gboolean dark) {
	gboolean now;
	g_object_get(settings, "gtk-application-prefer-dark-theme", &now, NULL);
	if (now != dark)
		g_object_set(settings, "gtk-application-prefer-dark-theme", dark, NULL);
}

static void set_name(GtkSettings *settings, const gchar *name) {
	gchar *now = NULL;
	g_object_get(settings, "gtk-theme-name", &now, NULL);
	if (g_strcmp0(now, name) != 0)
		g_object_set(settings, "gtk-theme-name", name, NULL);
	g_free(now);
}

// On the GTK thread.
static void theme_apply(int chosen) {
	GtkSettings *settings = gtk_settings_get_default();
	if (settings == NULL)
		return;
	if (!known) {
		g_object_get(settings, "gtk-application-prefer-dark-theme", &system_dark, "gtk-theme-name", &system_name, NULL);
		known = TRUE;
	}
	set_dark(settings, chosen == theme_light ? FALSE : chosen == theme_dark ? TRUE : system_dark);
	if (system_name == NULL)
		return;
	// A theme that is dark by its name stays so whatever is preferred.
	if (chosen == theme_light && g_str_has_suffix(system_name, "-dark")) {
		gchar *light = g_strndup(system_name, strlen(system_name) - strlen("-dark"));
		set_name(settings, light);
		g_free(light);
	} else if (chosen != theme_light)
		set_name(settings, system_name);
}
*/
import "C"

import "github.com/faustine-ai/countersign/app/gtk"

// SetTheme has everything that GTK draws, the card and the page's own controls
// too, look as chosen: "light", "dark", or anything else for what the system says.
// It takes effect when the main loop runs and may be called before.
func SetTheme(theme string) {
	chosen := C.int(C.theme_system)
	switch theme {
	case "light":
		chosen = C.theme_light
	case "dark":
		chosen = C.theme_dark
	}
	gtk.Post(func() { C.theme_apply(chosen) })
}
