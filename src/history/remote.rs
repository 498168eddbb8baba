//! Where a repository was cloned from, as an address for people.

use super::Repository;

/// Longest address that is passed on.
const LONGEST: usize = 300;

impl Repository {
    /// The web address of `origin`, or of the only remote: `https://host/owner/name`.
    ///
    /// Names, passwords and ports of SSH are left out; a remote that is a folder of this machine
    /// has none. That a browser finds something there is likely, not certain.
    pub fn remote(&self) -> Option<String> {
        let origin = self.inner.find_remote("origin").ok();
        let remote = origin.or_else(|| {
            let names = self.inner.remotes().ok()?;
            let name = names.get(0).ok().flatten().filter(|_| names.len() == 1)?;
            self.inner.find_remote(name).ok()
        })?;
        web_address(remote.url().ok()?)
    }
}

/// What a browser would be given for a remote's address.
fn web_address(url: &str) -> Option<String> {
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme @ ("http" | "https"), rest)) => (scheme, rest.to_owned()),
        Some(("ssh" | "git" | "git+ssh" | "ssh+git", rest)) => ("https", rest.to_owned()),
        Some(_) => return None,
        // As ssh takes it, `name@host:owner/name`; a slash before the colon is a path's.
        None => {
            let (host, path) = url.split_once(':').filter(|(host, _)| !host.contains('/'))?;
            // A single letter is a drive.
            if host.len() < 2 || host.starts_with('-') {
                return None;
            }
            ("https", format!("{host}/{path}"))
        }
    };
    let (authority, path) = rest.split_once('/')?;
    let host = authority.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    let (name, port) = match host.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (host.as_str(), None),
    };
    let web_port = port.filter(|_| url.starts_with("http"));
    // Hosts that take SSH on the port of HTTPS.
    let name = match name {
        "ssh.github.com" => "github.com",
        "altssh.gitlab.com" => "gitlab.com",
        "altssh.bitbucket.org" => "bitbucket.org",
        _ => name,
    };
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let in_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '~');
    let segment = |it: &str| !matches!(it, "" | "." | "..") && it.chars().all(in_path);
    let sound = !name.is_empty()
        && name.chars().all(in_name)
        && web_port.is_none_or(|port| port.parse::<u16>().is_ok())
        && path.split('/').all(segment);
    let port = web_port.map(|port| format!(":{port}")).unwrap_or_default();
    let address = format!("{scheme}://{name}{port}/{path}");
    (sound && address.len() <= LONGEST).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_a_browser_takes() {
        for (url, address) in [
            ("https://github.com/a/b.git", Some("https://github.com/a/b")),
            ("https://name:secret@GitHub.com/a/b/", Some("https://github.com/a/b")),
            ("git@github.com:a/b.git", Some("https://github.com/a/b")),
            ("ssh://git@ssh.github.com:443/a/b.git", Some("https://github.com/a/b")),
            ("ssh://git@codeberg.org/a/b", Some("https://codeberg.org/a/b")),
            ("git://example.org/a/b/c.git", Some("https://example.org/a/b/c")),
            ("http://localhost:3000/a/b", Some("http://localhost:3000/a/b")),
            ("backup:a/b", Some("https://backup/a/b")),
            ("/srv/git/a.git", None),
            ("../a.git", None),
            ("./a:b/c", None),
            ("file:///srv/git/a.git", None),
            ("C:/repos/a", None),
            ("https://example.org", None),
            ("https://example.org/", None),
            ("https://example.org/a/../b", None),
            ("https://exa mple.org/a/b", None),
            ("https://example.org/a/b?x=)\u{1b}[2J", None),
            ("https://example.org:x/a/b", None),
            ("ext::sh -c id", None),
            ("-oProxyCommand=id:a/b", None),
            ("", None),
        ] {
            assert_eq!(web_address(url).as_deref(), address, "{url}");
        }
        assert_eq!(web_address(&format!("https://example.org/{}", "a".repeat(400))), None);
    }

    #[test]
    fn origin_or_the_only_remote_is_asked() {
        let folder = tempfile::tempdir().unwrap();
        let inner = git2::Repository::init(folder.path()).unwrap();
        let remote = || Repository::open(folder.path()).unwrap().remote();
        assert_eq!(remote(), None);
        inner.remote("fork", "git@example.org:me/b.git").unwrap();
        assert_eq!(remote().as_deref(), Some("https://example.org/me/b"));
        inner.remote("upstream", "git@example.org:you/b.git").unwrap();
        assert_eq!(remote(), None);
        inner.remote("origin", "https://t:s@example.org/us/b").unwrap();
        assert_eq!(remote().as_deref(), Some("https://example.org/us/b"));
    }
}
