package settings

// page is settings as the page has them: the values of environments and headers
// are null, which says that they are set and not shown.
type page struct {
	Model    Model        `json:"model"`
	Folders  []Folder     `json:"folders"`
	Hosts    []string     `json:"hosts"`
	Servers  []pageServer `json:"mcp"`
	Limits   Limits       `json:"limits"`
	Approval Approval     `json:"approval"`
	Tighten  []string     `json:"tighten"`
	Theme    Theme        `json:"theme"`
}

type pageServer struct {
	Name              string             `json:"name"`
	Command           string             `json:"command"`
	Args              []string           `json:"args"`
	Env               map[string]*string `json:"env"`
	URL               string             `json:"url"`
	Headers           map[string]*string `json:"headers"`
	ReadOnlyConfirmed map[string]string  `json:"readOnlyConfirmed"`
}

func toPage(s Settings) page {
	p := page{s.Model, copyList(s.Folders), copyList(s.Hosts), []pageServer{}, s.Limits, s.Approval, copyList(s.Tighten), s.Theme}
	for _, server := range s.Servers {
		p.Servers = append(p.Servers, pageServer{
			server.Name, server.Command, copyList(server.Args), hidden(server.Env), server.URL, hidden(server.Headers), confirmed(server.ReadOnlyConfirmed),
		})
	}
	return p
}

func hidden(pairs map[string]string) map[string]*string {
	names := make(map[string]*string, len(pairs))
	for name := range pairs {
		names[name] = nil
	}
	return names
}

// fromPage reads what the page sends back. A value that is null is the one that
// the server of this name has; a server that was given another command or address
// gets none of the old one's secrets by that.
func fromPage(p page, inForce Settings) (Settings, error) {
	s := Settings{p.Model, p.Folders, p.Hosts, []Server{}, p.Limits, p.Approval, p.Tighten, p.Theme}
	for _, server := range p.Servers {
		var old Server
		for _, o := range inForce.Servers {
			if o.Name == server.Name && o.Command == server.Command && o.URL == server.URL {
				old = o
			}
		}
		env, err := shown(server.Name, server.Env, old.Env)
		if err != nil {
			return Settings{}, err
		}
		headers, err := shown(server.Name, server.Headers, old.Headers)
		if err != nil {
			return Settings{}, err
		}
		s.Servers = append(s.Servers, Server{server.Name, server.Command, server.Args, env, server.URL, headers, server.ReadOnlyConfirmed})
	}
	return s.Clone(), nil
}

func confirmed(tools map[string]string) map[string]string {
	if tools == nil {
		return map[string]string{}
	}
	return tools
}
