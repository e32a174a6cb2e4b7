//! What flags and the environment say, laid over the file before it is read.

use toml::{Table, Value};

/// The name of the ceiling that flags describe where there is no file.
const DEFAULT_CEILING: &str = "default";

/// Settings that win over the file's.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Section, key and value, as in `("http", "listen", "127.0.0.1:0")`.
    pub keys: Vec<(&'static str, &'static str, Value)>,
    /// Settings of the only ceiling.
    pub ceiling: CeilingOverrides,
}

/// Settings of one ceiling that win over the file's.
#[derive(Clone, Debug, Default)]
pub struct CeilingOverrides {
    /// Key and value, as in `("ceiling", 100.0)`.
    pub keys: Vec<(&'static str, Value)>,
    /// All tenants, id and weight; empty leaves the file's as they are.
    pub tenants: Vec<(String, f64)>,
}

impl Overrides {
    pub(super) fn lay_over(&self, table: &mut Table, errors: &mut Vec<String>) {
        for (section, key, value) in &self.keys {
            let section = table.entry(*section).or_insert_with(|| Table::new().into());
            // A section that is no table is reported when it is read.
            if let Value::Table(section) = section {
                section.insert((*key).to_owned(), value.clone());
            }
        }
        if !self.ceiling.is_empty() {
            self.ceiling.lay_over(table, errors);
        }
    }
}

impl CeilingOverrides {
    fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.tenants.is_empty()
    }

    fn lay_over(&self, table: &mut Table, errors: &mut Vec<String>) {
        let named = || Table::from_iter([("name".to_owned(), DEFAULT_CEILING.into())]);
        let ceilings = table.entry("ceilings").or_insert_with(|| vec![named()].into());
        let ceilings = ceilings.as_array_mut().map(Vec::as_mut_slice);
        match ceilings {
            Some([Value::Table(ceiling)]) => {
                for (key, value) in &self.keys {
                    ceiling.insert((*key).to_owned(), value.clone());
                }
                if !self.tenants.is_empty() {
                    let tenants = self.tenants.iter().map(tenant).collect();
                    ceiling.insert("tenants".to_owned(), Value::Array(tenants));
                }
            }
            Some([_, ..]) => errors.push(
                "the flags that describe a ceiling go with a file that has at most one; change \
                 the file instead"
                    .to_owned(),
            ),
            // An empty list, or no list, is reported when it is read.
            _ => {}
        }
    }
}

fn tenant((id, weight): &(String, f64)) -> Value {
    let keys = [("id".to_owned(), id.as_str().into()), ("weight".to_owned(), (*weight).into())];
    Value::Table(Table::from_iter(keys))
}
